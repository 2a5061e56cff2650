/**
 * Script-tag entry:
 *
 * ```html
 * <script type="module" src="https://connect.example/connect.js"></script>
 * <link-wallets></link-wallets>
 * ```
 *
 * Registers the elements and makes the page's default connect, whose wallet is served beside this file, or above the folder that names
 * its release. It leaves no global: a module of the page gets the same connect by
 * `import { connect } from 'https://connect.example/connect.js'`, because a browser loads a URL once. A second copy from another URL
 * registers nothing and changes nothing of the first.
 */
import { createConnect } from './actions/connect.ts';
import { setDefaultConnect } from './actions/default-connect.ts';
import { frameOf } from './actions/frame-url.ts';
import type { LinkWallets } from './elements/index.ts';
import './elements/index.ts';

const frame = frameOf(import.meta.url);

/** `<script … data-announce>`: the page wants the wallet announced to its own code (EIP-6963). */
const announce = document.querySelector<HTMLScriptElement>('script[data-announce]')?.src === import.meta.url;

/** The page's default connect. */
export const connect = setDefaultConnect(() => createConnect({ frame, announce }), frame);
(customElements.get('link-wallets') as Partial<typeof LinkWallets> | undefined)?.takeDefault?.(
  connect,
  frame,
);
export { createConnect };
export {
  ConnectError,
  FrameBlockedError,
  FrameUnreachableError,
  RequestInvalidError,
  UserRejectedError,
} from './base/errors.ts';
