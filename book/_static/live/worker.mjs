// Python in a thread of its own: loads the runtime once, then runs cells one after the other.
let python;

async function start({ base, packages, own, wheel, program }) {
  const { loadPyodide } = await import(base + "pyodide.mjs");
  const say = (text) => postMessage({ state: text });
  say("Python is being loaded");
  python = await loadPyodide({ indexURL: base });
  const quietly = { messageCallback: () => {}, errorCallback: say };
  const told = (text) => say(text.startsWith("Loading") ? `${packages.join(", ")} are being loaded` : text);
  const known = (name) => name in python.lockfile.packages;
  await python.loadPackage(packages.filter(known), { messageCallback: told, errorCallback: say });
  if (!packages.every(known)) {  // what the public runtime does not bring, the site does
    for (const some of [own.needs, ...own.wheels]) await python.loadPackage(some, quietly);
  }
  await python.loadPackage(wheel, quietly);
  python.runPython(await (await fetch(program)).text());
}

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      await start(data.start);
      postMessage({ ready: true });
    } else if (data.file) {
      python.FS.writeFile(data.file, new Uint8Array(data.bytes));
    } else {
      const run = python.globals.get("run_cell"), given = python.toPy(data.given ?? []);
      postMessage({ id: data.id, outputs: JSON.parse(run(data.code, data.id, given)) });
    }
  } catch (error) {
    postMessage({ id: data.id, failure: String(error) });
  }
};
