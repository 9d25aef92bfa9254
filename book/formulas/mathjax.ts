// Formulas: TeX in, CommonHTML out, and MathML for assistive technology. Of MathJax only what the book uses.
import { mathjax } from "mathjax-full/ts/mathjax.js";
import { TeX } from "mathjax-full/ts/input/tex.js";
import { CHTML } from "mathjax-full/ts/output/chtml.js";
import { TeXFont } from "mathjax-full/ts/output/chtml/fonts/tex.js";
import { RegisterHTMLHandler } from "mathjax-full/ts/handlers/html.js";
import { browserAdaptor } from "mathjax-full/ts/adaptors/browserAdaptor.js";
import { AssistiveMmlHandler } from "mathjax-full/ts/a11y/assistive-mml.js";
import "mathjax-full/ts/input/tex/base/BaseConfiguration.js";
import "mathjax-full/ts/input/tex/ams/AmsConfiguration.js";

// Of the font of rare symbols most pages show the letters with double strokes only: they are a file of their own.
const fonts = (TeXFont as any).defaultFonts, rare = "@font-face /* 10 */";
fonts["@font-face /* letters */"] = {
  "font-family": fonts[rare]["font-family"],
  src: 'url("%%URL%%/MathJax_AMS-Letters.woff") format("woff")',
  "unicode-range": "U+41-5A",
};
fonts[rare]["unicode-range"] = "U+0-40, U+5B-10FFFF";

// Pages say of a formula only that it is one; that translators and the search leave it alone follows (light.py).
for (const place of document.querySelectorAll(".math")) place.classList.add("notranslate", "nohighlight");

// Small letters of a formula are as high as those around it. MathJax measures these once, in whichever font is there
// by then; a length in `ex` goes on following the font of the text.
const container = (CHTML as any).commonStyles['mjx-container[jax="CHTML"]'];
container["font-size"] = `${1 / TeXFont.defaultParams.x_height}ex`;

const page = window as any;
const { options = {} } = page.MathJax ?? {};
const fontURL = new URL("fonts", (document.currentScript as HTMLScriptElement).src).href;
AssistiveMmlHandler(RegisterHTMLHandler(browserAdaptor()));
const formulas = mathjax.document(document, {
  ...options,
  InputJax: new TeX({ packages: ["base", "ams"] }),
  OutputJax: new CHTML({ fontURL, matchFontHeight: false }),
});

// Of MathJax's own interface what pages use: `await MathJax.startup.promise`, `MathJax.typesetPromise(elements)`.
const typesetPromise = (elements: unknown = null) => {
  formulas.options.elements = elements;
  formulas.reset();
  return mathjax.handleRetriesFor(() => formulas.render());
};
const begun = document.readyState === "loading"
  ? new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve))
  : Promise.resolve();
page.MathJax = { version: mathjax.version, typesetPromise, startup: { promise: begun.then(() => typesetPromise()) } };
