/** Draws typed data field by field, under its own names: in pieces, because one request may hold thousands of fields and boxes. */
import { css, html, type TemplateResult } from 'lit';
import type { TypedField } from '../../../chains/approval/signing.ts';
import { msg, str } from '../../../base/localize.ts';
import { visibleText, visibleTextStyles } from '../../../ui/text.ts';
import { kv } from '../../ui/kv.ts';
import { boxesIn, PIECE, type Piece, piecesOf } from './long-text.ts';

export const fieldStyles = [
  visibleTextStyles,
  css`
    .tree { padding: 4px 12px; overflow-wrap: anywhere; font-size: var(--_fs-sm); }
    .tree cbf-in-pieces, .tree cbf-in-pieces > span { display: block; }
    .tree .end { display: block; block-size: 8px; }
    .tree .within { margin-inline-start: 4px; padding-inline-start: 10px; border-inline-start: 2px solid var(--_border); }
    .tree .over { padding-block: 7px; }
    .tree dd { white-space: pre-wrap; }
    .tree .long > summary { cursor: pointer; color: var(--_text-2); }
  `,
];

/** Characters shown of one value before "Show all". */
const SHOWN = 400;
/** Fields count like this many boxes. */
const FIELD = 4;

export interface Section {
  /** Above its fields, which are then indented. */
  name?: string;
  fields: readonly TypedField[];
}

interface Fields {
  /** Draws an address. */
  address: (address: string) => unknown;
  /** All of it has to be read: nothing is left out, and its end has to be seen. */
  must?: boolean;
}

interface FieldRow {
  depth: number;
  cost: number;
  draw: () => unknown;
}

/** By the first section's fields: a view that is drawn again must not begin again. */
const drawnPieces = new WeakMap<readonly TypedField[], Piece[]>();

export function fieldTree(sections: readonly Section[], fields: Fields): TemplateResult {
  const key = sections[0]!.fields;
  const pieces = drawnPieces.get(key) ?? together(sections.flatMap((section) => rowsIn(section, fields)));
  drawnPieces.set(key, pieces);
  return html`<cbf-in-pieces ?must=${fields.must ?? false} .pieces=${pieces}></cbf-in-pieces>`;
}

function together(rows: readonly FieldRow[]): Piece[] {
  const pieces: FieldRow[][] = [];
  let room = 0;
  for (const row of rows) {
    if (row.cost > room) {
      pieces.push([]);
      room = PIECE.boxes;
    }
    pieces.at(-1)!.push(row);
    room -= row.cost;
  }
  return pieces.map((piece) => ({
    draw: () => piece.map(({ depth, draw }) => within(depth, draw())),
    size: piece.length,
  }));
}

function within(depth: number, content: unknown): unknown {
  return depth ? html`<div class="within">${within(depth - 1, content)}</div>` : content;
}

function rowsIn({ name, fields }: Section, how: Fields): FieldRow[] {
  if (name === undefined) return rowsOf(fields, 0, how);
  const head: FieldRow = {
    depth: 0,
    cost: FIELD,
    draw: () => html`<div class="over"><b class="mono">${name}</b></div>`,
  };
  return [head, ...rowsOf(fields, 1, how)];
}

function rowsOf(fields: readonly TypedField[], depth: number, how: Fields): FieldRow[] {
  return fields.flatMap(({ name, type, value }): FieldRow[] => {
    if (!Array.isArray(value)) return [fieldRow(name, type, value, depth, how)];
    const none = () => (value.length ? '' : html` <span class="faint">${msg('empty list')}</span>`);
    const head: FieldRow = {
      depth,
      cost: FIELD + depth,
      draw: () => html`<div class="over"><span class="mono">${name}</span>${none()}</div>`,
    };
    return [head, ...rowsOf(value, depth + 1, how)];
  });
}

function fieldRow(
  name: string,
  type: string,
  value: string | boolean | bigint,
  depth: number,
  how: Fields,
): FieldRow {
  const text = String(value);
  const head = piecesOf(cut(text))[0] ?? '';
  return {
    depth,
    cost: FIELD + depth + boxesIn(how.must ? (piecesOf(text)[0] ?? '') : head),
    draw: () =>
      kv([{ term: html`<span class="mono">${name}</span>`, value: valueOf(type, text, head, how) }]),
  };
}

function valueOf(type: string, text: string, head: string, { address, must }: Fields): unknown {
  if (type === 'address') return address(text);
  const shown =
    head === text
      ? visibleText(text)
      : must
        ? html`<cbf-long-text must .text=${text}></cbf-long-text>`
        : beginning(head, text);
  return type === 'string' ? html`<bdi>${shown}</bdi>` : html`<bdi dir="ltr" class="mono">${shown}</bdi>`;
}

/** Expandable to all of it. */
function beginning(head: string, text: string): TemplateResult {
  const whole = ({ currentTarget }: Event): void => {
    (currentTarget as HTMLElement).querySelector('cbf-long-text')!.text = text;
  };
  return html`${visibleText(head)}…<details class="long" @toggle=${whole}>
    <summary>${msg(str`Show all ${text.length} characters`)}</summary><cbf-long-text></cbf-long-text>
  </details>`;
}

/** Without half of a surrogate pair. */
function cut(text: string): string {
  return text.length > SHOWN ? text.slice(0, SHOWN).replace(/\p{Surrogate}$/u, '') : text;
}
