#!/bin/sh
# Makes mathjax.js of mathjax.ts anew; needs npm and the network. Run it only for another version or another package.
# MathJax's own files are compiled for browsers of 2009, which makes them nearly twice as long.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
cp "$here/mathjax.ts" "$draft"
cd "$draft"
npm install --silent --no-save mathjax-full@3.2.2 esbuild@0.28.2
npx esbuild mathjax.ts --bundle --minify --charset=utf8 --target=es2020 --format=iife --outfile="$here/mathjax.js" \
    --tsconfig-raw='{"compilerOptions":{"useDefineForClassFields":false}}' --legal-comments=none \
    --banner:js='/*! MathJax 3.2.2, (c) The MathJax Consortium, Apache License 2.0, www.apache.org/licenses/LICENSE-2.0 */'
