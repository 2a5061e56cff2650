/** What a browser downloads, compared with a minimal Lit element with context, built in the same run. */
import { build, type Plugin, type Rolldown } from 'vite';
import { compressed, type Size, sizes, sizeTable } from '../scripts/sizes.ts';
import { connectScript } from '../vite.config.ts';

const BARE = `
  import { ContextConsumer, ContextProvider, createContext } from '@lit/context';
  import { css, html, LitElement } from 'lit';
  const context = createContext(Symbol.for('bare'));
  class Bare extends LitElement {
    static properties = { name: {} };
    static styles = css\`:host { color: red }\`;
    provider = new ContextProvider(this, { context });
    consumer = new ContextConsumer(this, { context });
    render() { return html\`<p>\${this.name} \${this.consumer.value}</p>\`; }
  }
  customElements.define('bare-lit', Bare);`;

async function bareLit(): Promise<Size> {
  const virtual: Plugin = {
    name: 'bare-lit',
    resolveId: (id) => (id === 'bare-lit' ? '\0bare-lit' : null),
    load: (id) => (id === '\0bare-lit' ? BARE : null),
  };
  const config = connectScript('unused', virtual);
  const result = await build({
    ...config,
    build: {
      ...config.build,
      write: false,
      rolldownOptions: { ...config.build?.rolldownOptions, input: { bare: 'bare-lit' } },
    },
  });
  const [{ output }] = result as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput];
  const chunks = output.filter((file) => file.type === 'chunk');
  const body = Buffer.concat(chunks.map(({ code }) => Buffer.from(code)));
  return { name: 'bare Lit with context', files: chunks.length, ...compressed(body) };
}

export async function bytes(): Promise<string> {
  return sizeTable([await bareLit(), ...sizes()]);
}
