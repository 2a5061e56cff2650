/** `/docs`: the OpenAPI document as a page that reads without scripts. */
import type * as z from 'zod';
import { CODES } from './codes.ts';
import type { OpenApi, Operation } from './openapi.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** `code` in back quotes. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1)!;
}

/** A type in few words. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return `<a href="#schema-${nameOf(schema.$ref)}">${escape(nameOf(schema.$ref))}</a>`;
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((option) => typeOf(option as JsonSchema)).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  const limits = [
    schema.maxLength === undefined ? '' : `up to ${schema.maxLength} characters`,
    schema.pattern && schema.pattern.length < 40 ? `<code>${escape(schema.pattern)}</code>` : '',
  ].filter(Boolean);
  return [escape(String(schema.type ?? 'anything')), ...limits].join(', ');
}

function row(name: string, schema: JsonSchema, required: boolean): string {
  const inner = schema.type === 'object' && schema.properties ? fields(schema, `${name}.`) : '';
  return `<tr><td><code>${escape(name)}</code>${required ? '' : ' <small>optional</small>'}</td><td>${typeOf(schema)}</td></tr>${inner}`;
}

function fields(schema: JsonSchema, prefix = ''): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, of]) => row(prefix + name, of as JsonSchema, schema.required?.includes(name) ?? false))
    .join('');
}

function table(rows: string): string {
  return `<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function schemaTable(schema: JsonSchema): string {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map((variant) => table(fields(variant as JsonSchema))).join('');
  return table(fields(schema));
}

function operationOf(
  method: string,
  path: string,
  { summary, parameters, requestBody, responses, security }: Operation,
): string {
  const [status, success] = Object.entries(responses)[0]!;
  const body = requestBody && Object.entries(requestBody.content);
  return `
<section>
<h3><code><b>${method.toUpperCase()}</b> ${escape(path)}</code></h3>
<p>${prose(summary)}</p>
${security ? `<p>Scope: ${security.map((each) => `<code>${Object.values(each).flat().join(' ')}</code>`).join(' or ')}</p>` : ''}
${parameters.length ? table(parameters.map(({ name, schema, required }) => row(name, schema, required)).join('')) : ''}
${body ? `<p>Body: ${typeOf(body[0]![1].schema)} as ${body.map(([type]) => `<code>${type}</code>`).join(' or ')}</p>` : ''}
<p>Answer: ${status} with ${typeOf(Object.values(success.content)[0]!.schema)}</p>
</section>`;
}

function codes(): string {
  const rows = Object.entries(CODES)
    .map(
      ([code, { status, meaning }]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${prose(meaning)}</td></tr>`,
    )
    .join('');
  return `<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

export function referencePage({ info, paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const areas = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = areas.map((area) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(area));
    return `<h2>${escape(area)}</h2>${own.map(({ method, path, operation }) => operationOf(method, path, operation)).join('')}`;
  });
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
</head>
<body>
<main>
<h1>${escape(info.title)}</h1>
<p>${escape(info.description)} The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
${sections.join('\n')}
<h2>Objects</h2>
${schemas.join('\n')}
<h2>Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457). The token endpoint answers those of RFC 6749.</p>
${codes()}
</main>
</body>
</html>
`;
}

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid; }
h3 { margin: 2rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.25rem 0 0.5rem; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin: 0.5rem 0; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: start; vertical-align: top; }
:target { background: color-mix(in srgb, Highlight 30%, transparent); }
`;
