/** The code for an element with these attributes, in each framework. */

export const FRAMEWORKS = [
  'HTML',
  'React',
  'Next.js',
  'Vue',
  'Nuxt',
  'Svelte',
  'SvelteKit',
  'Angular',
  'Solid',
] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** One that is set. */
export interface Attribute {
  name: string;
  /** The property that it sets. */
  property: string;
  /** An empty string is an attribute without a value. */
  value: string;
}

interface Shown {
  /** Base URL of the wallet's origin. */
  frame: string;
  tag: string;
  attributes: readonly Attribute[];
}

export function frameworkCode(framework: Framework, shown: Shown): string {
  return CODE[framework](shown);
}

const CODE: Record<Framework, (shown: Shown) => string> = {
  HTML: ({ frame, tag, attributes }) => `<script type="module" src="${frame}/connect.js"></script>

${element(tag, attributes.map(html), '')}

<script type="module">
  document.addEventListener('connect-result', ({ action, result }) => console.log(action, result));
</script>`,

  React: react,

  'Next.js': (shown) => `'use client';\n${react(shown)}`,

  Vue: (
    shown,
  ) => `<!-- vite.config.ts: isCustomElement: (tag) => tag.includes('-') in template.compilerOptions of vue() -->
${vue(shown)}`,

  Nuxt: (
    shown,
  ) => `<!-- nuxt.config.ts: vue: { compilerOptions: { isCustomElement: (tag) => tag.includes('-') } } -->
${vue(shown)}`,

  Svelte: svelte,

  SvelteKit: svelte,

  Angular({ frame, tag, attributes }) {
    const lines = [...attributes.map(angular), '(connect-result)="done($event)"'];
    return `import 'carabiner/elements';
import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';

@Component({
  selector: 'app-wallet',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`
    <connect-provider frame="${frame}">
${element(tag, lines, '      ')}
    </connect-provider>
  \`,
})
export class Wallet {
  done(event: Event): void {
    console.log(event);
  }
}`;
  },

  Solid({ frame, tag, attributes }) {
    const lines = [...attributes.map(solid), 'on:connect-result={({ result }) => console.log(result)}'];
    return `import 'carabiner/elements';
import 'carabiner/types/solid';

export const Wallet = () => (
  <connect-provider frame="${frame}">
${element(tag, lines, '    ')}
  </connect-provider>
);`;
  },
};

function react({ frame, tag, attributes }: Shown): string {
  const component = tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const lines = [...attributes.map(jsx), 'onConnectResult={({ result }) => console.log(result)}'];
  return `import { ConnectProvider, ${component} } from 'carabiner/react';

export const Wallet = () => (
  <ConnectProvider frame="${frame}">
    <${component}
${lines.map((line) => `      ${line}`).join('\n')}
    />
  </ConnectProvider>
);`;
}

function vue({ frame, tag, attributes }: Shown): string {
  const lines = [...attributes.map(html), '@connect-result="({ result }) => console.log(result)"'];
  return `<script setup lang="ts">
import 'carabiner/elements';
import 'carabiner/types/vue';
</script>

<template>
  <connect-provider frame="${frame}">
${element(tag, lines, '    ')}
  </connect-provider>
</template>`;
}

function svelte({ frame, tag, attributes }: Shown): string {
  const lines = [...attributes.map(curly), 'onconnect-result={({ result }) => console.log(result)}'];
  return `<script lang="ts">
import 'carabiner/elements';
import 'carabiner/types/svelte';
</script>

<connect-provider frame="${frame}">
${element(tag, lines, '  ')}
</connect-provider>`;
}

function element(tag: string, lines: string[], indent: string): string {
  if (lines.length === 0) return `${indent}<${tag}></${tag}>`;
  return [`<${tag}`, ...lines.map((line) => `  ${line}`), `></${tag}>`]
    .map((line) => indent + line)
    .join('\n');
}

function html({ name, value }: Attribute): string {
  if (value === '') return name;
  const quoted = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `${name}="${quoted}"`;
}

/** Inside a template literal, where two braces are an expression. */
function angular(attribute: Attribute): string {
  return html(attribute)
    .replaceAll('{', '&#123;')
    .replace(/[\\`$]/g, '\\$&');
}

/** Braces are an expression, and entities are decoded. */
function curly({ name, value }: Attribute): string {
  if (value === '') return name;
  return /["&{}<\\]/.test(value) ? `${name}={${JSON.stringify(value)}}` : `${name}="${value}"`;
}

/** For Solid, whose types require `true` for an attribute without a value. */
function solid(attribute: Attribute): string {
  return attribute.value === '' ? `${attribute.name}={true}` : curly(attribute);
}

/** React's components take properties. */
function jsx({ property, value }: Attribute): string {
  if (value === '') return property;
  if (property === 'secretTypes') {
    const types = value.toUpperCase().match(/\w+/g) ?? [];
    return `secretTypes={[${types.map((type) => `'${type}'`).join(', ')}]}`;
  }
  if (value === 'true' || value === 'false') return `${property}={${value}}`;
  return curly({ name: property, property, value });
}
