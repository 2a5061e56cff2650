/** Whether the wallet's operator lists this page among those that may show it in a dialog. */

/** Maximum size of `embed.json`; more is not read. */
const MAX = 1024;

export interface Embedding {
  /** True only if known already: a decision inside a click cannot wait. */
  readonly listed: boolean;
  /** For decisions that can wait. Never rejects. */
  readonly known: Promise<boolean>;
}

/** For a page of another site, or one that always opens windows, which need not ask. */
export const NOT_EMBEDDED: Embedding = { listed: false, known: Promise.resolve(false) };

/**
 * Asks the frame's origin. No answer, or anything but a list with this page on it, means that the wallet
 * opens in a window: a page that fakes this only gets an iframe that the browser keeps empty.
 */
export function askEmbedding(frame: URL): Embedding {
  const url = new URL('../embed.json', frame).href;
  let embedding = asked.get(url);
  if (!embedding) {
    const asking = { listed: false, known: ask(url) };
    void asking.known.then((listed) => (asking.listed = listed));
    asked.set(url, (embedding = asking));
  }
  return embedding;
}

/** Shared by all connects of a page. */
const asked = new Map<string, Embedding>();

async function ask(url: string): Promise<boolean> {
  try {
    // Without options, which a page could extend through `Object.prototype`.
    const answer = await fetch(url);
    const { embed } = JSON.parse(answer.ok ? await boundedText(answer) : '') as { embed?: unknown };
    return Array.isArray(embed) && embed.includes(location.origin);
  } catch {
    return false;
  }
}

/** The text of a response; empty if it exceeds the limit, in which case reading stops. */
async function boundedText({ body }: Response): Promise<string> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.length <= MAX) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader.cancel();
  return '';
}
