"""Speed, side by side in one run: ours, the floor that numpy sets, and peers that are installed.

``make bench`` prints one line per case.  Machines differ and drift; so a case is a ratio of two functions
called in turn, and only the ratio (or a generous absolute limit) is compared with its target.  A file of
this package is one topic and lists its cases in ``CASES``.
"""
