/** A virtual authenticator in place of the device's own: https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/ */
import type { CDPSession, Page } from 'playwright-core';
import { within } from '../waiting.ts';
import { type WalletView } from './harness.ts';

export class VirtualAuthenticator {
  private constructor(
    readonly cdp: CDPSession,
    readonly id: string,
  ) {}

  /** For a page and its frames: a window needs its own. */
  static async add(page: Page, { prf = true } = {}): Promise<VirtualAuthenticator> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        hasPrf: prf,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new VirtualAuthenticator(cdp, authenticatorId);
  }

  /** Sets what is wrong with its answers from now on. */
  async misbehave(bits: { isBogusSignature?: boolean; isBadUV?: boolean; isBadUP?: boolean }): Promise<void> {
    const all = { isBogusSignature: false, isBadUV: false, isBadUP: false, ...bits };
    await this.cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId: this.id, ...all });
  }

  /** From then on the page has none. */
  async remove(): Promise<void> {
    await this.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.id });
    await this.cdp.send('WebAuthn.disable');
  }

  /** The number of passkeys it stores. */
  async passkeys(): Promise<number> {
    const { credentials } = await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.id });
    return credentials.length;
  }
}

/** Approves with the passkey, once the approval is rendered and has been in view for long enough. */
export async function pressPasskey(view: WalletView): Promise<void> {
  const approval = view.root.locator('cbf-approve, cbf-signature');
  const ready = approval.evaluate(async (element: HTMLElement & { armed?: boolean }) => {
    while (!element.armed || element.shadowRoot!.querySelector('.wait'))
      await new Promise((drawn) => requestAnimationFrame(drawn));
  });
  await within(ready, 'an approval that can be given');
  await view.consent(/^(Approve with|Use) passkey$/);
}
