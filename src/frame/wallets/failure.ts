/** Why an action that the user started in the wallet failed, in their language; the English error is under Details. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import { strangersWords } from '../../ui/text.ts';
import { fold } from '../approve/drawing/blocks.ts';
import { errorLine } from '../ui/view.ts';

/** Below a form. Needs `blockStyles` and `strangersStyles`. */
export function failureNote(error: ConnectError | undefined): TemplateResult | typeof nothing {
  return error ? html`${errorLine(failureText(error))} ${failureDetails(error)}` : nothing;
}

/** Details for support. Needs `blockStyles` and `strangersStyles`. */
export function failureDetails({ code, shortMessage, details }: ConnectError): TemplateResult {
  const reason = String(details['reason'] ?? '');
  const words = shortMessage.includes(reason) ? shortMessage : `${shortMessage} ${reason}`;
  return fold(msg('Details'), strangersWords(code, words, 300));
}

export function failureText({ code }: ConnectError): string {
  switch (code) {
    case 'node.unreachable':
      return msg('The network did not answer. Try again in a moment.');
    case 'transaction.insufficient-funds':
      return msg('The balance is not enough for the amount and the fee.');
    case 'transaction.refused':
      return msg('The network refused the transaction.');
    case 'policy.refused':
      return msg('The rules for this wallet do not allow it. Nothing was sent.');
    case 'recipient.unknown':
      return msg('No wallet found for this e-mail. Ask the recipient for an address.');
    case 'request.invalid':
      return msg('This cannot be sent as it is. Check recipient and amount.');
    case 'request.conflict':
      return msg(
        'You approved the same transaction before, and it is not sent yet. Send that one first, or stop sending it.',
      );
    case 'chain.not-supported':
      return msg('The wallet cannot do this on its network.');
    case 'service.unreachable':
      return msg('The wallet service did not answer. Try again in a moment.');
    case 'token.missing':
    case 'token.invalid':
    case 'token.expired':
    case 'token.scope':
      return msg('The site gave no access to your service wallets. Sign in there again.');
    case 'wallet.archived':
      return msg('This wallet is archived. Bring it back in your wallet first.');
    case 'storage.unavailable':
      return msg('This browser could not store what the wallet needs. Nothing was sent.');
    default:
      if (/^swap\..+\.unavailable$/.test(code))
        return msg('The exchange takes no such swap now. Nothing was sent.');
      return msg('Something went wrong. Try again in a moment.');
  }
}
