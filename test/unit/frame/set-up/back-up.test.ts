import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { html, nothing } from 'lit';
import type { Words } from '../../../../src/frame/ui/words.ts';
import { BackUpView, CheckCopyView, randomPositions } from '../../../../src/frame/set-up/back-up-view.ts';
import { ImportView } from '../../../../src/frame/set-up/import-view.ts';
import { RestoreView } from '../../../../src/frame/set-up/restore.ts';
import { ShowWordsView } from '../../../../src/frame/settings/show-words-view.ts';
import { TestClock } from '../../clock.ts';
import { deep, deepAll, focused, named, reasonOf, type Scene, show, type, visible, WORDS } from '../scene.ts';

const make = <T extends object>(View: new () => T, properties: Partial<T>): T =>
  Object.assign(new View(), properties);
const holdsWords = (root: Node): boolean => WORDS.some((word) => visible(root).includes(word));
const known = (word: string): string | true => WORDS.includes(word) || (word === 'peper' ? 'pepper' : '');
const phraseOf = (view: HTMLElement): HTMLTextAreaElement => deep(view.shadowRoot as ShadowRoot, 'textarea');

/** Like a mouse click: focus, then click. */
function press(button: HTMLElement): void {
  button.focus();
  button.click();
}

describe('backing up', () => {
  const clock = new TestClock();
  const backUp = (): Promise<Scene<BackUpView>> => show(make(BackUpView, { clock, reveal: () => WORDS }));

  it('keeps the words out of the page until they are requested, and afterwards', async () => {
    const { view, shell, settle } = await backUp();
    expect(holdsWords(shell)).to.equal(false);
    press(named(view, 'Show words'));
    await settle();
    const list = deep(view.shadowRoot as ShadowRoot, 'ol[aria-label="Your 12 words"]');
    expect([...list.querySelectorAll('b')].map((b) => b.textContent)).to.deep.equal(WORDS);
    expect(focused()?.textContent?.trim()).to.equal('Hide words');
    press(named(view, 'Hide words'));
    await settle();
    expect(holdsWords(shell)).to.equal(false);
    expect(focused()?.textContent?.trim()).to.equal('Show words');
  });

  it('calls them the only way back, but not to whom a passkey opens the back-up file', async () => {
    for (const View of [BackUpView, ShowWordsView])
      for (const passkey of [false, true]) {
        const { view } = await show(
          make<BackUpView | ShowWordsView>(View, { clock, passkey, reveal: () => WORDS }),
        );
        expect(visible(view).includes('the only way to get your wallet back')).to.equal(!passkey);
        expect(visible(view).includes('even without your passkey')).to.equal(passkey);
      }
  });

  it('hides them when the window loses focus', async () => {
    const { view, shell, settle } = await backUp();
    named(view, 'Show words').click();
    await settle();
    window.dispatchEvent(new FocusEvent('blur'));
    await settle();
    expect(holdsWords(shell)).to.equal(false);
  });

  it('hides them when the view goes away', async () => {
    const { view, settle } = await backUp();
    named(view, 'Show words').click();
    await settle();
    const words = deep<Words>(view.shadowRoot as ShadowRoot, 'cbf-words');
    view.remove();
    await words.updateComplete;
    expect(words.shown).to.equal(false);
    expect(holdsWords(words)).to.equal(false);
  });

  it('hides them after a minute, counting down', async () => {
    const { view, shell, settle } = await backUp();
    const words = deep<Words>(view.shadowRoot as ShadowRoot, 'cbf-words');
    await words.show();
    await clock.pass(8000);
    await words.updateComplete;
    expect(visible(view)).to.contain('Hides in 0:52');
    await clock.pass(51_000);
    await words.updateComplete;
    expect(visible(view)).to.contain('Hides in 0:01');
    expect(holdsWords(shell)).to.equal(true);
    await clock.pass(1000);
    await words.updateComplete;
    expect(holdsWords(shell)).to.equal(false);
    await settle();
  });

  it('continues only once they were seen, or later', async () => {
    const { view, settle, events } = await backUp();
    expect(reasonOf(view, 'Continue')).to.equal('Show the words first');
    named(view, 'Continue').click();
    expect(events).to.deep.equal([]);
    named(view, 'Remind me later').click();
    named(view, 'Show words').click();
    await settle();
    named(view, 'I wrote them down').click();
    expect(events).to.deep.equal(['later', 'continue']);
  });

  it('has no way to copy them', async () => {
    const { view, settle } = await backUp();
    named(view, 'Show words').click();
    await settle();
    expect(deepAll(view.shadowRoot as ShadowRoot, 'cbf-copy')).to.have.length(0);
    const list = deep(view.shadowRoot as ShadowRoot, '.words');
    // WebKit knows it by its own name alone.
    const { userSelect, webkitUserSelect } = getComputedStyle(list);
    expect(userSelect ?? webkitUserSelect).to.equal('none');
  });
});

describe('showing the words from Settings', () => {
  it('asks for the PIN, then shows them at once', async () => {
    const { view, shell, settle, events } = await show(new ShowWordsView());
    await sendKeys({ type: '7391' });
    await settle();
    await sendKeys({ press: 'Enter' });
    expect(events).to.deep.equal(['pin']);
    expect(view.pin).to.equal('7391');
    view.reveal = () => WORDS;
    await settle();
    expect(holdsWords(shell)).to.equal(true);
    expect(focused()?.textContent).to.equal('Your 12 words');
    named(view, 'Done').click();
    expect(events).to.deep.equal(['pin', 'back']);
  });
});

describe('checking the copy', () => {
  const check = (position: number, word: string): boolean => WORDS[position - 1] === word;
  const copy = (): Promise<Scene<CheckCopyView>> =>
    show(make(CheckCopyView, { positions: [3, 7, 11], check }));

  it('works by keyboard alone: Enter goes to the next word, then finishes', async () => {
    const { settle, events } = await copy();
    for (const word of ['copper', 'Lantern ', 'amateur']) {
      await sendKeys({ type: word });
      await settle();
      await sendKeys({ press: 'Enter' });
      await settle();
    }
    expect(events).to.deep.equal(['finish']);
  });

  it('names the wrong word, and does not finish with it', async () => {
    const { view, settle, events } = await copy();
    type(named(view, 'Word 7'), 'latern');
    await settle();
    expect(visible(view)).not.to.contain('That is not');
    named(view, 'Word 3').focus();
    await settle();
    const error = deep(view.shadowRoot as ShadowRoot, '[role=alert]');
    expect(error.textContent?.trim()).to.equal('That is not word 7. Check your copy.');
    const field = named(view, 'Word 7');
    expect([field.getAttribute('aria-invalid'), field.getAttribute('aria-describedby')]).to.deep.equal([
      'true',
      error.id,
    ]);
    type(named(view, 'Word 3'), 'copper');
    type(named(view, 'Word 11'), 'amateur');
    await settle();
    expect(reasonOf(view, 'Finish')).to.equal('Word 7 is wrong');
    named(view, 'Finish').click();
    expect(events).to.deep.equal([]);
    type(named(view, 'Word 7'), 'lantern');
    await settle();
    named(view, 'Finish').click();
    expect(events).to.deep.equal(['finish']);
  });

  it('asks for three different positions of twelve', () => {
    const seen = new Set<number>();
    for (let i = 0; i < 200; i++) {
      const positions = randomPositions();
      expect(new Set(positions).size).to.equal(3);
      expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
      for (const position of positions) seen.add(position);
    }
    expect([...seen].sort((a, b) => a - b)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});

describe('importing', () => {
  const importing = (properties: Partial<ImportView> = {}): Promise<Scene<ImportView>> =>
    show(make(ImportView, { check: known, ...properties }));

  it('takes twelve words, however they are spaced', async () => {
    const { view, settle, events } = await importing();
    type(phraseOf(view), `  ${WORDS.join('\n').toUpperCase()} `);
    await settle();
    named(view, 'Import wallet').click();
    expect(events).to.deep.equal(['import']);
    expect(view.secret).to.deep.equal({ kind: 'phrase', text: WORDS.join(' ') });
  });

  it('counts the words and names one that is not in the list, with the closest', async () => {
    const { view, settle } = await importing();
    type(phraseOf(view), 'harbor violin copper meadow gentle rocket lantern wisdom peper glide');
    await settle();
    expect(visible(view)).to.contain('10 of 12 words');
    expect(deep(view.shadowRoot as ShadowRoot, '[role=alert]').textContent?.trim()).to.equal(
      '“peper” is not in the word list. Did you mean “pepper”?',
    );
    expect(reasonOf(view, 'Import wallet')).to.equal('Word 9 is wrong');
  });

  it('says in its button what is missing', async () => {
    const { view, settle, events } = await importing();
    const says = async (text: string): Promise<string | null> => {
      type(phraseOf(view), text);
      await settle();
      return reasonOf(view, 'Import wallet');
    };
    expect(reasonOf(view, 'Import wallet')).to.equal('Type your 12 words');
    expect(await says(`${WORDS.slice(0, 4).join(' ')} `)).to.equal('Word 5 is missing');
    named(view, 'Import wallet').click();
    expect(events).to.deep.equal([]);
    expect(await says(WORDS.join(' '))).to.equal(null);
    named(view, 'Private key').click();
    await settle();
    expect(reasonOf(view, 'Import wallet')).to.equal('Type your private key');
  });

  it('does not judge a word while it is typed', async () => {
    const { view, settle } = await importing();
    type(phraseOf(view), 'harbor vio');
    await settle();
    expect(deepAll(view.shadowRoot as ShadowRoot, '.err')).to.have.length(0);
    type(phraseOf(view), 'harbor vio ');
    await settle();
    expect(visible(view)).to.contain('“vio” is not in the word list.');
  });

  it('takes a private key', async () => {
    const { view, settle, events } = await importing();
    named(view, 'Private key').click();
    await settle();
    type(deep(view.shadowRoot as ShadowRoot, 'textarea'), ' 0xabc \n');
    await settle();
    named(view, 'Import wallet').click();
    expect(events).to.deep.equal(['import']);
    expect(view.secret).to.deep.equal({ kind: 'key', text: '0xabc' });
  });

  it('takes a key file with its password', async () => {
    const { view, settle, events } = await importing();
    named(view, 'Key file').click();
    await settle();
    const input = deep<HTMLInputElement>(view.shadowRoot as ShadowRoot, 'input[type=file]');
    const files = new DataTransfer();
    files.items.add(new File(['{"version":3}'], 'key.json'));
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    await settle();
    expect(reasonOf(view, 'Import wallet')).to.equal('Type the password of the file');
    type(named(view, 'Password of the file'), 'correct horse');
    await settle();
    await sendKeys({ press: 'Enter' });
    expect(events).to.deep.equal(['import']);
    expect(view.secret).to.deep.equal({ kind: 'keystore', text: '{"version":3}', password: 'correct horse' });
  });

  it('reads no large file', async () => {
    const { view, settle } = await importing({ kinds: ['keystore'] });
    const input = deep<HTMLInputElement>(view.shadowRoot as ShadowRoot, 'input[type=file]');
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(70_000)], 'video.mp4'));
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    await settle();
    expect(visible(view)).to.contain('This is not a key file.');
    expect(view.secret.text).to.equal('');
  });

  it('keeps what was typed while another view asks for the PIN', async () => {
    const { view, shell, settle } = await importing();
    type(phraseOf(view), WORDS.join(' '));
    await settle();
    shell.view = nothing;
    await settle();
    expect(holdsWords(shell)).to.equal(false);
    shell.view = html`${view}`;
    await settle();
    expect(view.secret.text).to.equal(WORDS.join(' '));
    expect(reasonOf(view, 'Import wallet')).to.equal(null);
  });

  it('forgets a secret when another kind is chosen', async () => {
    const { view, settle } = await importing();
    type(phraseOf(view), WORDS.join(' '));
    named(view, 'Private key').click();
    await settle();
    expect(holdsWords(view)).to.equal(false);
    expect(view.secret).to.deep.equal({ kind: 'key', text: '' });
  });

  it('is not a form that a browser saves', async () => {
    const { view, settle } = await importing({ kinds: ['keystore'] });
    await settle();
    expect(deepAll(view.shadowRoot as ShadowRoot, 'form, [type=password]')).to.have.length(0);
    for (const field of deepAll(view.shadowRoot as ShadowRoot, 'textarea, input.masked'))
      expect(field.getAttribute('autocomplete')).to.equal('off');
  });
});

describe('restoring', () => {
  it('takes the words, and says when they are not this wallet’s', async () => {
    const { view, settle, events } = await show(make(RestoreView, { check: known }));
    type(phraseOf(view), WORDS.join(' '));
    await settle();
    named(view, 'Continue').click();
    expect(events).to.deep.equal(['phrase']);
    expect(view.phrase).to.equal(WORDS.join(' '));
    view.error = 'These are not the words of this wallet.';
    await settle();
    expect(visible(view)).to.contain('These are not the words of this wallet.');
    expect(reasonOf(view, 'Continue')).to.equal('Correct the words');
  });
});
