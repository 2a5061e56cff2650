import type { PropertyDeclarations } from 'lit';
import { DOCS_URL } from '../errors.ts';
import { warn } from '../warn.ts';

/** `other`: the element already defined. Another copy of ours is recognised by a distinctive property. */
export function warnOfName(name: string, other: object): void {
  const { properties = {} } = other as { properties?: PropertyDeclarations };
  const isOurs = 'connect' in properties;
  const about = (place: string, shortMessage: string) =>
    warn({ shortMessage, docsUrl: `${DOCS_URL}troubleshooting.md#${place}` });
  if (isOurs) about('two-copies', 'it is on this page twice. The first copy stays.');
  else
    about(
      'another-element-of-the-same-name',
      `<${name}> is an element of another script on this page. The wallet’s own cannot be used.`,
    );
}
