/** `/docs`: the OpenAPI document as a page. All but the forms, which `try-it.js` builds, is there without scripts. */
import type * as z from 'zod';
import { CODES } from './codes.ts';
import { escape } from './html.ts';
import type { OpenApi, Operation, Parameter } from './openapi.ts';
import { noteOf } from '../../src/api/notes/route-notes.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** `code` in back quotes. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1)!;
}

/** The pattern of a text; patterns that only exclude control characters are not worth showing. */
function limitsOf({ maxLength, pattern }: JsonSchema): string[] {
  return [
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
    ...(pattern && pattern.length < 40 && !pattern.includes('x00-')
      ? [`<code>${escape(pattern)}</code>`]
      : []),
  ];
}

/** A short description of a type. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return `<a href="#schema-${nameOf(schema.$ref)}">${escape(nameOf(schema.$ref))}</a>`;
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((option) => typeOf(option as JsonSchema)).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  const types = [schema.type ?? 'anything'].flat().join(' or ');
  return [escape(types), ...limitsOf(schema)].join(', ');
}

/** The object that a field is or may be, and the prefix of its own fields. */
function objectIn(schema: JsonSchema, name: string): { object: JsonSchema; prefix: string } | undefined {
  if (schema.type === 'array') return objectIn((schema.items ?? {}) as JsonSchema, `${name}[]`);
  const options = (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[];
  const object = options.find(({ type, properties }) => type === 'object' && properties);
  return object && { object, prefix: `${name}.` };
}

function meaning({ description }: { description?: string | undefined }): string {
  return description ? `<br><small>${prose(description)}</small>` : '';
}

function row(name: string, schema: JsonSchema, note = ''): string {
  const inner = objectIn(schema, name);
  return (
    `<tr><td><code>${escape(name)}</code>${note && ` <small>${note}</small>`}</td><td>${typeOf(schema)}${meaning(schema)}</td></tr>` +
    (inner ? fields(inner.object, inner.prefix) : '')
  );
}

function fields({ properties, required }: JsonSchema, prefix = ''): string {
  return Object.entries(properties ?? {})
    .map(([name, of]) => row(prefix + name, of as JsonSchema, required?.includes(name) ? '' : 'optional'))
    .join('');
}

function table(rows: string, heads = ['Field', 'Type']): string {
  const cells = heads.map((head) => `<th scope="col">${head}</th>`).join('');
  return `<table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** If an object has several forms, `type` distinguishes them. */
function schemaTable(schema: JsonSchema): string {
  const variants = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (!variants || variants.every(({ $ref }) => $ref))
    return schema.properties ? table(fields(schema)) : `<p>${typeOf(schema)}</p>`;
  return variants
    .map((variant) => {
      const { const: type } = (variant.properties?.['type'] ?? {}) as JsonSchema;
      return `${type === undefined ? '' : `<h4><code>${escape(String(type))}</code></h4>`}${table(fields(variant))}`;
    })
    .join('');
}

function parameterRow({ name, in: place, required, schema, description }: Parameter): string {
  const note = [place, ...(required ? [] : ['optional'])].join(', ');
  return `<tr><td><code>${escape(name)}</code> <small>${note}</small></td><td>${typeOf(schema)}${meaning({ description })}</td></tr>`;
}

interface Placed {
  method: string;
  path: string;
  operation: Operation;
}

function signature(method: string, path: string): string {
  return `<code><b>${method.toUpperCase()}</b> ${escape(path)}</code>`;
}

function permissionOf(security: Operation['security']): [term: string, detail: string] {
  if (security.some(({ client }) => client)) return ['Secret', "the client's id and secret, by HTTP Basic"];
  if (isCopy(security)) return ['Key', 'the signature of the key whose hash is the id'];
  return [
    'Scope',
    security
      .map(({ token = [] }) => token.map((scope) => `<code>${scope}</code>`).join(' and '))
      .join(' or '),
  ];
}

function isCopy(security: Operation['security']): boolean {
  return security.some(({ copy }) => copy);
}

function operationOf({ method, path, operation }: Placed): string {
  const { operationId, summary, parameters, requestBody, responses, security } = operation;
  const [status, success] = Object.entries(responses)[0]!;
  const answers = Object.values(success.content);
  const body = requestBody && Object.entries(requestBody.content);
  const errors = noteOf(operationId)?.errors ?? [];
  const facts = [
    ...(security.length > 0 ? [permissionOf(security)] : []),
    ...(body
      ? [
          [
            'Body',
            `${typeOf(body[0]![1].schema)} as ${body.map(([type]) => `<code>${type}</code>`).join(' or ')}`,
          ],
        ]
      : []),
    ['Answer', [status, ...answers.map(({ schema }) => typeOf(schema))].join(' ')],
    ...(errors.length
      ? [['Errors', errors.map((code) => `<a href="#${code}"><code>${code}</code></a>`).join(' ')]]
      : []),
  ];
  const examples = [body?.[0]![1].example, answers[0]?.example].filter((example) => example !== undefined);
  return `
<section id="${escape(operationId)}">
<h3>${signature(method, path)}</h3>
<p>${prose(summary)}</p>
<dl>${facts.map(([term, detail]) => `<div><dt>${term}</dt><dd>${detail}</dd></div>`).join('')}</dl>
${parameters.length ? table(parameters.map(parameterRow).join(''), ['Parameter', 'Type']) : ''}
${examples.length ? `<details><summary>Example</summary>${examples.map(exampleOf).join('')}</details>` : ''}
${isCopy(security) ? '' : `<details hidden data-try data-method="${method}" data-path="${escape(path)}"><summary>Try it</summary></details>`}
</section>`;
}

function exampleOf(example: unknown): string {
  return `<pre>${escape(JSON.stringify(example, null, 2))}</pre>`;
}

function codes(): string {
  const rows = Object.entries(CODES)
    .map(
      ([code, { status, meaning }]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${prose(meaning)}</td></tr>`,
    )
    .join('');
  return table(rows, ['Code', 'Status', 'Meaning']);
}

export function referencePage({ info, paths, components }: OpenApi): string {
  const operations: Placed[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const areas = [...new Set(operations.flatMap(({ operation }) => operation.tags))].map((name) => ({
    name,
    id: `area-${name.toLowerCase().replaceAll(' ', '-')}`,
    own: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const contents = areas.map(
    ({ name, id, own }) =>
      `<li><a href="#${id}">${escape(name)}</a><ul>${own
        .map(
          ({ method, path, operation }) =>
            `<li><a href="#${escape(operation.operationId)}">${signature(method, path)}</a></li>`,
        )
        .join('')}</ul></li>`,
  );
  const sections = areas.map(
    ({ name, id, own }) => `<h2 id="${id}">${escape(name)}</h2>${own.map(operationOf).join('')}`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<section id="schema-${name}"><h3>${escape(name)}</h3>${schemaTable(schema)}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(info.title)}</title>
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/try-it.js"></script>
</head>
<body>
<nav aria-label="Contents">
<ul>
${contents.join('\n')}
<li><a href="#objects">Objects</a></li>
<li><a href="#errors">Errors</a></li>
</ul>
</nav>
<main>
<h1>${escape(info.title)}</h1>
<p>${escape(info.description)} The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
<section id="try-it" hidden>
<h2>Try it</h2>
<p>Below each call is a form that makes it. The token stays in this tab's memory until the page is closed or loaded again. Calls act on this
service for real. Users' tokens need a proof by their device, which this page cannot make. Calls that take the client's secret ask for it.</p>
</section>
${sections.join('\n')}
<h2 id="objects">Objects</h2>
${schemas.join('\n')}
<h2 id="errors">Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457). The token endpoint answers those of RFC 6749.</p>
${codes()}
</main>
</body>
</html>
`;
}

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --text-2: light-dark(#4a5261, #b4bcc9); --line: light-dark(#e0e4ea, #2a303b); --soft: light-dark(#f4f5f8, #1d222b); --accent: light-dark(#2351b0, #8fb3f7); font: 15px/1.5 system-ui, sans-serif; }
* { box-sizing: border-box; }
body { display: grid; grid-template-columns: 20rem minmax(0, 1fr); margin: 0; background: light-dark(#fff, #161a21); color: light-dark(#14181f, #eef1f5); overflow-wrap: anywhere; }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-inline-end: 1px solid var(--line); background: light-dark(#f5f6f8, #0d1015); font-size: 13px; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav > ul > li { margin-block-end: 0.75rem; }
nav > ul > li > a { font-weight: 600; }
nav a { display: block; padding: 0.2rem 0; color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav code { font-size: 11.5px; color: var(--text-2); }
main { max-width: 58rem; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1 { margin: 0 0 0.5rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 3.5rem 0 0; font-size: 1.3rem; }
section { margin-block-start: 1rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--line); scroll-margin-top: 0.5rem; }
h3 { margin: 0 0 0.25rem; font-size: 1rem; }
h3 code { font-size: 0.95em; font-weight: 400; }
h3 b { color: var(--accent); }
h4 { margin: 1.25rem 0 0; }
p { margin: 0.25rem 0 0.75rem; }
code { font-family: ui-monospace, monospace; font-size: 0.88em; }
pre { margin: 0.5rem 0; padding: 0.75rem; overflow: auto; background: var(--soft); font: 12.5px/1.45 ui-monospace, monospace; }
summary { cursor: pointer; color: var(--accent); }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
small { color: var(--text-2); font-size: 0.85em; }
dl { margin: 0; }
dl div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); padding: 0.15rem 0; }
dt { color: var(--text-2); }
dd { margin: 0; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin: 0.75rem 0; font-size: 14px; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; }
tbody tr:last-child td { border: 0; }
th { color: var(--text-2); font-size: 13px; font-weight: 600; }
th:first-child { width: 40%; }
th:nth-child(2):not(:last-child) { width: 4.5rem; }
:target { background: var(--soft); }
section:target { box-shadow: 0 0 0 0.75rem var(--soft); }
form { margin-block: 0.5rem 1rem; }
.field { display: grid; gap: 0.2rem; max-width: 34rem; margin: 0.6rem 0; }
label, .note { color: var(--text-2); font-size: 13px; }
.note { margin: 0.6rem 0 0; }
input, textarea { box-sizing: border-box; width: 100%; min-height: 2.25rem; padding: 0.35rem 0.5rem; border: 1px solid light-dark(#7d8694, #7d8694); border-radius: 4px; background: light-dark(#fff, #0d1015); color: inherit; font: 13px/1.45 ui-monospace, monospace; }
textarea { resize: vertical; }
[aria-invalid] { border-color: light-dark(#a8231c, #ff9b94); }
button { min-height: 2.25rem; padding: 0.35rem 1rem; border: 1px solid var(--accent); border-radius: 4px; background: transparent; color: var(--accent); font: inherit; cursor: pointer; }
button[aria-disabled] { opacity: 0.6; cursor: default; }
:is(input, textarea, button, pre):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.outcome { font-weight: 600; }
form pre { max-height: 24rem; white-space: pre-wrap; }
@media (max-width: 60rem) {
  body { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: none; border-inline-end: 0; border-block-end: 1px solid var(--line); }
}
@media print { nav { display: none; } body { display: block; } }
`;
