/** XLIFF 1.2, as `@lit/localize-tools` and translators' tools write it, with a group for the forms of a counted text. */

/** Pieces of text and numbers of placeholders. */
export type Pieces = (string | number)[];

export interface Unit {
  source: Pieces;
  /** Undefined until it is translated. */
  target?: Pieces;
  /** For a text with a number in placeholder `by`: its other plural forms, by category; `target` is `other`. */
  forms?: { by: number; kinds: Record<string, Pieces> };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const UNESCAPES: Record<string, string> = Object.fromEntries(
  Object.entries(ESCAPES).map(([plain, written]) => [written, plain]),
);
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);
const unescape = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (written) => UNESCAPES[written]!);

function inline(pieces: Pieces, values: readonly string[]): string {
  return pieces
    .map((piece) =>
      typeof piece === 'string'
        ? escape(piece)
        : `<x id="${piece}" equiv-text="${escape(`\${${(values[piece] ?? '').replace(/\s+/g, ' ')}}`)}"/>`,
    )
    .join('');
}

export function piecesOf(xml: string): Pieces {
  return xml
    .split(/(<x id="\d+"[^>]*\/>)/)
    .filter((part) => part !== '')
    .map((part) => {
      const place = /^<x id="(\d+)"/.exec(part);
      return place ? Number(place[1]) : unescape(part);
    });
}

export interface Note {
  values: readonly string[];
  files: readonly string[];
}

function unitXml(id: string, source: Pieces, target: Pieces | undefined, { values, files }: Note): string {
  return `<trans-unit id="${id}">
  <source>${inline(source, values)}</source>
${target ? `  <target>${inline(target, values)}</target>\n` : ''}  <note>${escape(files.join(', '))}</note>
</trans-unit>
`;
}

export function writeXliff(
  language: string,
  units: ReadonlyMap<string, Unit>,
  notes: (id: string) => Note,
): string {
  const body = [...units].map(([id, { source, target, forms }]) => {
    if (!forms) return unitXml(id, source, target, notes(id));
    const kinds = Object.entries(forms.kinds).map(([kind, pieces]) =>
      unitXml(`${id}[${kind}]`, source, pieces, notes(id)),
    );
    return `<group id="${id}" restype="x-gettext-plurals" extradata="${forms.by}">
${kinds.join('')}${unitXml(`${id}[other]`, source, target, notes(id))}</group>
`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file target-language="${language}" source-language="en" original="carabiner" datatype="plaintext">
<body>
${body.join('')}</body>
</file>
</xliff>
`;
}

export function readXliff(xml: string): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const groups = new Map(
    [...xml.matchAll(/<group id="(\w+)"[^>]*extradata="(\d+)"/g)].map(([, id, by]) => [id!, Number(by)]),
  );
  for (const [, name = '', body = ''] of xml.matchAll(
    /<trans-unit id="([^"]+)"[^>]*>([^]*?)<\/trans-unit>/g,
  )) {
    const [, id = name, kind] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    const source = piecesOf(/<source>([^]*?)<\/source>/.exec(body)?.[1] ?? '');
    const written = /<target[^>]*>([^]*?)<\/target>/.exec(body)?.[1];
    const unit: Unit = units.get(id) ?? { source };
    const by = groups.get(id);
    if (by !== undefined) unit.forms ??= { by, kinds: {} };
    if (written !== undefined) {
      if (kind && kind !== 'other') unit.forms!.kinds[kind] = piecesOf(written);
      else unit.target = piecesOf(written);
    }
    units.set(id, unit);
  }
  return units;
}
