/** Reads the sources: their texts, which part of the product shows each, and texts that would stay untranslated. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { messageId } from '../../src/base/languages.ts';
import { ROOT } from '../command.ts';
import { tornApart } from './rules.ts';

/** The parts of the product, with their entry modules. Each is downloaded on its own, and has its own catalogues. */
export const PARTS = {
  elements: ['src/connect.ts', 'src/index.ts', 'src/elements/index.ts'],
  frame: ['src/frame/main.ts', 'src/frame/own/main.ts'],
  pay: ['src/pay/main.ts'],
  mail: ['service/checkout/receipts/mail-text.ts'],
} as const;
export type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

export interface Message {
  /** As in `@lit/localize`: a hash of the text alone, so that equal texts are translated once. */
  id: string;
  /** Text between the placeholders. */
  strings: string[];
  /** The code in each placeholder, for translators. */
  values: string[];
  /** The placeholder whose number selects the plural form: the third argument of `plural`. */
  counted?: number;
  files: Set<string>;
  parts: Set<Part>;
}

export interface Sources {
  messages: Map<string, Message>;
  /** A line for each mistake. */
  problems: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
type Quasi = { value: { cooked: string } };
interface Template extends Node {
  quasis: Quasi[];
  expressions: Node[];
}
interface Tagged extends Node {
  tag: Node & { name?: string };
  quasi: Template;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Every node, with whether it is inside a function. */
function* nodesIn(node: Node, inside = false): Generator<[node: Node, inside: boolean]> {
  yield [node, inside];
  const within = inside || /Function|MethodDefinition/.test(node.type);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* nodesIn(child, within);
}

const calls = (node: Node, name: string): boolean =>
  node.type === 'CallExpression' && (node['callee'] as { name?: string }).name === name;
const argumentsOf = (node: Node): Node[] => node['arguments'] as Node[];
const isTagged = (node: Node | undefined, name: string): node is Tagged =>
  node?.type === 'TaggedTemplateExpression' && (node as Tagged).tag.name === name;

export function readSources(): Sources {
  const parsed = new Map(
    readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => `src/${name}`)
      .concat(PARTS.mail)
      .filter((file) => file.endsWith('.ts') && !file.startsWith('src/locales/'))
      .map((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        return [
          file,
          { text, nodes: [...nodesIn(parseSync(file, text).program as unknown as Node)] },
        ] as const;
      }),
  );
  const found: Sources = { messages: new Map(), problems: [] };
  const imports = new Map([...parsed].map(([file, { nodes }]) => [file, importsOf(file, nodes)]));
  const partsOf = reach(imports);
  for (const [file, { text, nodes }] of parsed) {
    const parts = partsOf.get(file) ?? new Set();
    readFile({ file, text, nodes, parts }, found);
  }
  return found;
}

/** One file by itself, as part of the elements. */
export function readOne(file: string, text: string): Sources {
  const found: Sources = { messages: new Map(), problems: [] };
  const nodes = [...nodesIn(parseSync(file, text).program as unknown as Node)];
  readFile({ file, text, nodes, parts: new Set(['elements']) }, found);
  return found;
}

interface File {
  file: string;
  text: string;
  nodes: readonly (readonly [node: Node, inside: boolean])[];
  parts: Set<Part>;
}

function readFile({ file, text, nodes, parts }: File, { messages, problems }: Sources): void {
  const at = (node: Node): string => `${file}:${text.slice(0, node.start).split('\n').length}`;
  const code = (node: Node): string => text.slice(node.start, node.end);
  const translated = new Set(nodes.flatMap(([node]) => (calls(node, 'msg') ? argumentsOf(node) : [])));
  for (const [node, inside] of nodes) {
    if (calls(node, 'msg')) {
      const [source] = argumentsOf(node);
      const message = messageOf(source, code);
      if (!message) {
        problems.push(`${at(node)}: msg() takes a text, str\`…\`, or html\`…\` without markup.`);
        continue;
      }
      if (!inside)
        problems.push(
          `${at(node)}: msg() runs before the language is known. Call it when the view is drawn.`,
        );
      const torn = tornApart(message.strings, message.values);
      if (torn) problems.push(`${at(node)}: ${torn}`);
      if (!parts.size) problems.push(`${at(node)}: no part of scripts/strings/source.ts loads this file.`);
      const known = messages.get(message.id) ?? { ...message, files: new Set(), parts: new Set() };
      known.files.add(file);
      for (const part of parts) known.parts.add(part);
      messages.set(message.id, known);
    }
    if (isTagged(node, 'html') && !translated.has(node))
      for (const words of untranslated(node))
        problems.push(`${at(node)}: “${words}” is not translated. Put it in msg().`);
    if (isTagged(node, 'css'))
      for (const rule of physical(node))
        problems.push(
          `${at(node)}: “${rule}” is not mirrored in right-to-left languages. Use the logical property.`,
        );
  }
  if (VIEWS.test(file)) {
    for (const node of unspoken(nodes[0]![0]))
      if (PROSE.test(textOf(node) ?? ''))
        problems.push(`${at(node)}: “${textOf(node)}” is not translated. Put it in msg().`);
    for (const [node, what] of inEnglishOnly(nodes, code))
      if (!READ_ALOUD.has(file)) problems.push(`${at(node)}: ${what}`);
  }
  for (const [node] of nodes) {
    if (!calls(node, 'plural')) continue;
    const [count, one, other] = argumentsOf(node);
    const source = other && calls(other, 'msg') ? messageOf(argumentsOf(other)[0], code) : undefined;
    const index = source && count ? source.values.indexOf(code(count)) : -1;
    if (!one || !source || index < 0)
      problems.push(
        `${at(node)}: write plural(count, msg(…), msg(str\`…\`)), where the last text contains \${count} itself.`,
      );
    else messages.get(source.id)!.counted = index;
  }
}

function messageOf(
  source: Node | undefined,
  code: (node: Node) => string,
): Pick<Message, 'id' | 'strings' | 'values'> | undefined {
  if (source?.type === 'Literal' && typeof source['value'] === 'string')
    return { id: messageId([source['value']]), strings: [source['value']], values: [] };
  const rich = isTagged(source, 'html');
  if (!rich && !isTagged(source, 'str')) return undefined;
  const { quasis, expressions } = source.quasi;
  const strings = quasis.map(({ value }) => value.cooked);
  // The build minifies white space in templates, which would change the id.
  if (rich && strings.some((text) => /[<>&]|\s\s|\n/.test(text))) return undefined;
  return { id: messageId(strings), strings, values: expressions.map(code) };
}

// Which part loads each file.

function importsOf(file: string, nodes: File['nodes']): string[] {
  return nodes.flatMap(([node]) => {
    const source = node['source'] as (Node & { value?: unknown }) | null | undefined;
    const isImport = /^(Import(Declaration|Expression)|Export(Named|All)Declaration)$/.test(node.type);
    const isType = node['importKind'] === 'type' || node['exportKind'] === 'type';
    if (!isImport || isType || typeof source?.value !== 'string' || !source.value.startsWith('.')) return [];
    return [join(dirname(file), source.value)];
  });
}

function reach(imports: Map<string, string[]>): Map<string, Set<Part>> {
  const partsOf = new Map<string, Set<Part>>();
  for (const part of PART_NAMES) {
    const open: string[] = [...PARTS[part]];
    for (let file = open.pop(); file; file = open.pop()) {
      const parts = partsOf.get(file) ?? new Set();
      if (parts.has(part)) continue;
      partsOf.set(file, parts.add(part));
      open.push(...(imports.get(file) ?? []));
    }
  }
  return partsOf;
}

// Text outside `msg()`.

/** Units, and names of fields in data: the same in every language. */
const SAME_EVERYWHERE = /^(vB|sat|domain)$/;
const SPOKEN =
  /\s(aria-label|aria-description|aria-roledescription|title|placeholder|alt|label)=("([^"]*)"|'([^']*)')/g;
const HOLE = '\u0000';

function untranslated({ quasi }: Tagged): string[] {
  const markup = quasi.quasis.map(({ value }) => value.cooked).join(HOLE);
  const spoken = [...markup.matchAll(SPOKEN)].map((match) => match[3] ?? match[4] ?? '');
  // A template that starts inside a tag has no text before that tag ends.
  const text = markup.replace(/<!--[^]*?-->/g, '').replace(/<[a-z/](?:"[^"]*"|'[^']*'|[^>"'])*>/gi, HOLE);
  return [...spoken, ...text.split(HOLE)]
    .flatMap((words) => words.split(/&\w+;|&#\w+;/))
    .map((words) => words.trim())
    .filter(
      (words) =>
        /\p{L}{2}/u.test(words) &&
        !words.split(/[^\p{L}]+/u).every((word) => !word || SAME_EVERYWHERE.test(word)),
    );
}

/** Folders whose texts users see. */
const VIEWS = /^src\/(elements|frame|pay|ui)\//;
/** The start of a sentence or of a label. Names of classes and of fields start with a small letter. */
const PROSE = /^\p{Lu}\p{Ll}+(?:$|[ .,:;!?…’])/u;

/** Their commas and full stops are pauses of a screen reader, and never seen. */
const READ_ALOUD: ReadonlySet<string> = new Set(['src/frame/approve/drawing/sight.ts']);

/** Code that writes lists, sentences and times as English does. */
function* inEnglishOnly(
  nodes: File['nodes'],
  code: (node: Node) => string,
): Generator<[node: Node, what: string]> {
  const technical = new Set(
    nodes.flatMap(([node]) => (isForDevelopers(node) ? [...nodesIn(node)].map(([each]) => each) : [])),
  );
  const inTags = new Set(nodes.flatMap(([node]) => ('quasi' in node ? [(node as Tagged).quasi] : [])));
  for (const [node] of nodes) {
    if (technical.has(node)) continue;
    if (node.type === 'TemplateLiteral' && !inTags.has(node as Template) && joins(node as Template))
      yield [
        node,
        'sentences are joined by msg(str`${one} ${other}`), as some languages have no space there.',
      ];
    const callee = calleeOf(node);
    const given = node.type === 'CallExpression' || node.type === 'NewExpression' ? argumentsOf(node) : [];
    const [first] = given;
    if (callee === 'join' && first?.['value'] === ', ')
      yield [
        node,
        'listOf() writes lists, and msg(str`${one}, ${other}`) pairs, with the comma of the language.',
      ];
    if (callee === 'join' && first?.['value'] === ' ' && says((node['callee'] as Node)['object'] as Node))
      yield [
        node,
        'sentences are joined by msg(str`${one} ${other}`), as some languages have no space there.',
      ];
    if (
      /^(toLocale(Date|Time)?String|DateTimeFormat)$/.test(callee) &&
      !(first && /^(language|'.*')$/.test(code(first)))
    )
      yield [node, `${callee} takes \`language\` of src/base/localize.ts, which has Latin digits.`];
  }
}

const says = (node: Node): boolean => [...nodesIn(node)].some(([each]) => calls(each, 'msg'));

/** Whether two values, one of them a text, have nothing but a space or a full stop between them. */
const joins = ({ quasis, expressions }: Template): boolean =>
  expressions.some((one, i) => {
    const other = expressions[i + 1];
    return (
      other && /^[.!?]? $/.test(quasis[i + 1]!.value.cooked) && (calls(one, 'msg') || calls(other, 'msg'))
    );
  });

/** What a string in the code says, outside the markup of a template. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral')
    return (node as Template).quasis.map(({ value }) => value.cooked).join('…');
  return undefined;
}

/** Every string that is not an argument of `msg()`, not for developers, and not compared with anything. */
function* unspoken(node: Node): Generator<Node> {
  if (calls(node, 'msg') || isForDevelopers(node) || isCompared(node)) return;
  if (node.type === 'TaggedTemplateExpression') {
    // Its markup is checked separately.
    for (const each of (node as Tagged).quasi.expressions) yield* unspoken(each);
    return;
  }
  yield node;
  for (const [name, value] of Object.entries(node)) {
    if (node.type === 'SwitchCase' && name === 'test') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* unspoken(child);
  }
}

/** The last name of what is called: `warn` of `console.warn()`. */
function calleeOf(node: Node): string {
  const callee = node['callee'] as { name?: string; property?: { name?: string } } | undefined;
  return callee?.name ?? callee?.property?.name ?? '';
}

const isForDevelopers = (node: Node): boolean =>
  node.type === 'ThrowStatement' ||
  /(Error|^warn)$/i.test(calleeOf(node)) ||
  // Of an error that the page's code gets.
  (node.type === 'Property' && (node['key'] as { name?: string }).name === 'message');

const isCompared = (node: Node): boolean =>
  (node.type === 'BinaryExpression' && /^[!=]==$/.test(String(node['operator']))) ||
  /^TS(Template)?LiteralType$/.test(node.type) ||
  /^(startsWith|endsWith|includes)$/.test(calleeOf(node));

const PHYSICAL =
  /(?:^|[{;\s])((?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-[a-z]+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius|float|text-align|clear)\s*:\s*[^;}]+)/g;

/** Properties that name a physical side. They are allowed where the container sets the text direction itself. */
function physical({ quasi }: Tagged): string[] {
  const css = quasi.quasis
    .map(({ value }) => value.cooked)
    .join('0')
    .replace(/\/\*[^]*?\*\//g, '');
  const rules = [...css.matchAll(/([^{}]*)\{([^{}]*)\}/g)];
  return rules.flatMap(([, selector = '', body = '']) =>
    /:dir\(|direction: ?ltr|\[dir/.test(selector + body)
      ? []
      : [...body.matchAll(PHYSICAL)]
          .map((match) => match[1]!.trim())
          .filter(
            (rule) => !/^(float|text-align|clear)/.test(rule) || /\b(left|right)\b/.test(rule.split(':')[1]!),
          ),
  );
}
