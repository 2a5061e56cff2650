import { DOCS_URL } from '../base/errors.ts';
import { warn } from '../base/warn.ts';

/** What Lit makes of an element's own and inherited properties when it is defined. */
interface Defined {
  elementProperties?: ReadonlyMap<PropertyKey, unknown>;
}

/** `other`: the element already defined. Another copy of ours is recognised by a distinctive property. */
export function warnOfName(name: string, other: object): void {
  const isOurs = (other as Defined).elementProperties?.has('connect');
  const about = (place: string, shortMessage: string) =>
    warn({ shortMessage, docsUrl: `${DOCS_URL}troubleshooting.md#${place}` });
  if (isOurs) about('two-copies', 'it is on this page twice. The first copy stays.');
  else
    about(
      'another-element-of-the-same-name',
      `<${name}> is an element of another script on this page. The wallet’s own cannot be used.`,
    );
}
