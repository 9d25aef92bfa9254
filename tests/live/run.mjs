// node run.mjs RUNTIME WHEEL CONTENTS OUT: the cells of one chapter, one after the other, in the worker of the pages.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [runtime, wheel, contents, out] = process.argv.slice(2).map((name) => path.resolve(name));
const live = fileURLToPath(new URL("../../book/_static/live/", import.meta.url));
const told = JSON.parse(fs.readFileSync(contents));

// What a worker has in a browser and node lacks.
let answer;
globalThis.onmessage = null;
globalThis.postMessage = (data) => { if (!data.state) answer(data); };
const far = globalThis.fetch;
const near = async (name) => ({ text: async () => fs.readFileSync(name, "utf8"), arrayBuffer: async () => new Uint8Array(fs.readFileSync(name)).buffer });
globalThis.fetch = (name, ...rest) => (path.isAbsolute(String(name)) ? near(name) : far(name, ...rest));
const ask = (data) => new Promise((resolve) => { answer = resolve; globalThis.onmessage({ data }); });

await import(path.join(live, "worker.mjs"));
const { needs = [], wheels = [] } = told.runtime.own ?? {};
const own = { needs, wheels: wheels.map((name) => path.join(path.dirname(wheel), name)) };
const begun = await ask({
  start: { base: runtime + "/", packages: told.packages, own, wheel, program: path.join(live, "cells.py") },
});
if (begun.failure) throw new Error(begun.failure);
const shown = [];
for (const [id, { code }] of told.cells.entries()) {
  const { outputs, failure } = await ask({ id, code });
  shown.push(outputs ?? [{ error: failure }]);
}
fs.writeFileSync(out, JSON.stringify(shown));
process.exit(0);
