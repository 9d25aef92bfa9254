// Python in a thread of its own: loads the runtime once, then runs cells one after the other.
let python;

async function start({ base, packages, wheel, program }) {
  const { loadPyodide } = await import(base + "pyodide.mjs");
  const say = (text) => postMessage({ state: text });
  say("Python is being loaded");
  python = await loadPyodide({ indexURL: base });
  const told = (text) => say(text.startsWith("Loading") ? `${packages.join(", ")} are being loaded` : text);
  const known = (name) => name in python.lockfile.packages;
  await python.loadPackage(packages.filter(known), { messageCallback: told, errorCallback: say });
  await fromIndex(packages.filter((name) => !known(name)));
  await python.loadPackage(wheel, { messageCallback: () => {}, errorCallback: say });
  python.runPython(await (await fetch(program)).text());
}

// What the runtime does not bring: dp-accounting, whose mechanisms for trees (dm-tree) have no build for browsers.
async function fromIndex(packages) {
  if (!packages.length) return;
  await python.loadPackage(["micropip", "attrs", "mpmath"], { messageCallback: () => {} });
  const micropip = python.pyimport("micropip");
  await micropip.install("absl-py");
  await micropip.install.callKwargs(packages, { deps: false });
}

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      await start(data.start);
      postMessage({ ready: true });
    } else if (data.file) {
      python.FS.writeFile(data.file, new Uint8Array(data.bytes));
    } else {
      postMessage({ id: data.id, outputs: JSON.parse(python.globals.get("run_cell")(data.code, data.id)) });
    }
  } catch (error) {
    postMessage({ id: data.id, failure: String(error) });
  }
};
