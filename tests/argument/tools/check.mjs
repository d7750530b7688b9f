// node check.mjs FOLDER: what Argdown's parser and Graphviz make of documents. A line of input is a JSON list of them, and
// a line of output the list of answers.
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (...path) => import(pathToFileURL(join(resolve(process.argv[2]), "node_modules", ...path)).href);
const { argdown } = await load("@argdown", "core", "dist", "index.js");
const { Graphviz } = await load("@hpcc-js", "wasm-graphviz", "dist", "index.js");

// One layout after another in the same memory makes this build of Graphviz stumble: each has its own.
async function layout(text, kind) {
  Graphviz.unload();
  return (await Graphviz.load()).layout(text, kind, "dot");
}

const ways = {
  argdown(text) {
    const found = argdown.run({ input: text, process: ["parse-input", "build-model"], throwExceptions: true });
    const titled = Object.values(found.arguments ?? {});
    return {
      errors: [...(found.lexerErrors ?? []), ...(found.parserErrors ?? [])].map((error) => error.message),
      statements: Object.keys(found.statements ?? {}),
      arguments: titled.map(({ title, members, data }) => ({
        title,
        text: members?.map((member) => member.text ?? "").find((words) => words.replace(/[ \t\n]/g, "")) ?? "",
        data: data ?? {},
      })),
      relations: (found.relations ?? []).map(({ relationType, from, to }) => [relationType, from.title, to.title]),
    };
  },
  async dot(text) {
    // Graphviz leaves some control characters in its JSON as they are, which JSON does not allow.
    const drawn = (await layout(text, "json")).replace(
      /[\x00-\x09\x0b-\x1f]/g,
      (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"),
    );
    return { drawn: JSON.parse(drawn), svg: await layout(text, "svg") };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const answers = [];
  for (const { format, text } of JSON.parse(line)) {
    try {
      answers.push(await ways[format](text));
    } catch (error) {
      answers.push({ failure: String(error) });
    }
  }
  process.stdout.write(JSON.stringify(answers) + "\n");
}
