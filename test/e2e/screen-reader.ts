/** What a screen reader says of a page: the browser's accessibility tree, read in order. */
import type { Page } from 'playwright-core';
import { within } from '../waiting.ts';

interface AxNode {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  childIds?: string[];
  properties?: { name: string; value: { value?: unknown } }[];
}

/** Said with role and name; everything else is said by what is in it. */
const CONTROLS = new Set([
  'button',
  'checkbox',
  'combobox',
  'ComboBoxMenuButton',
  'ComboBoxSelect',
  'DisclosureTriangle',
  'heading',
  'image',
  'link',
  'radio',
  'textbox',
]);
/** A line of text goes on through these. */
const INLINE = new Set(['none', 'generic', 'strong', 'emphasis', 'time', 'mark', 'superscript']);
const SHOWN = new Set(['disabled', 'focused', 'invalid']);

const plain = (text = ''): string => text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ');

/** Prints, and returns, one line for each block of text and each control: `heading “Send 0.25 ETH”`, `To: 0x8f3C…`. */
export async function readAloud(page: Page, title: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const tree = session.send('Accessibility.getFullAXTree') as Promise<unknown>;
  const { nodes } = (await within(tree, 'the accessibility tree')) as { nodes: AxNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines = [''];
  const end = (): void => void lines.push('');
  const read = (node: AxNode): void => {
    const role = node.ignored ? 'none' : (node.role?.value ?? 'none');
    const name = plain(node.name?.value);
    if (role === 'InlineTextBox') return;
    if (role === 'StaticText') {
      lines.push(`${lines.pop()} ${name.trim()}`);
      return;
    }
    const isControl = CONTROLS.has(role);
    const isTerm = /term/i.test(role);
    if (isControl || !(INLINE.has(role) || /definition|detail/i.test(role))) end();
    if (isControl) {
      const states = (node.properties ?? []).filter(
        ({ name: state, value }) => SHOWN.has(state) && value.value && value.value !== 'false',
      );
      const said = [
        `${role} “${name.trim()}”`,
        plain(node.description?.value),
        ...states.map((state) => state.name),
      ];
      lines.push(said.filter(Boolean).join(', '));
      end();
      return;
    }
    for (const id of node.childIds ?? []) read(byId.get(id)!);
    if (isTerm) lines.push(`${lines.pop()!.trim()}: `);
    else if (!INLINE.has(role)) end();
  };
  read(nodes[0]!);
  // Where the page is, and where its window, differs from run to run.
  const said = lines
    .map((line) =>
      plain(line)
        .replace(/(?:127\.0\.0\.1|localhost) ?:\d+/g, '{site}')
        .trim(),
    )
    .filter((line) => line && line !== 'Part of this window is outside the screen');
  console.log([title, ...said].join('\n  '));
  return said;
}
