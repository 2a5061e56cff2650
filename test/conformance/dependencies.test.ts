/** What we depend on is what docs/dependencies.md says, under licences that we accept, and as it was locked. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemsOf } from '../../scripts/audit.ts';
import { type Lock, type Manifest, readLock, readManifest, runtimeOf } from '../../scripts/lock.ts';

const HASH = `sha512-${'A'.repeat(86)}==`;
const manifest: Manifest = {
  name: 'carabiner',
  dependencies: { lit: '3.3.3' },
  allowScripts: { esbuild: true },
};

function lockOf(packages: Lock['packages']): Lock {
  return {
    packages: {
      '': { dependencies: { lit: '3.3.3' } },
      service: { dependencies: {} },
      'node_modules/lit': { version: '3.3.3', license: 'MIT', integrity: HASH },
      ...packages,
    },
  };
}

const problems = (packages: Lock['packages'] = {}, of = manifest): string[] =>
  problemsOf(lockOf(packages), [of]);

describe('dependencies', () => {
  it('are as they must be', () => {
    assert.deepEqual(problemsOf(readLock(), ['.', 'service'].map(readManifest)), []);
  });

  it('of the service are those that are reachable, not the tools', () => {
    const names = runtimeOf(readLock(), 'service');
    assert.ok(names.includes('node_modules/fastify') && names.includes('node_modules/avvio'));
    assert.ok(!names.some((name) => /\/(vite|typescript|playwright-core)$/.test(name)));
  });

  it('are none with a licence that is not in the list, also deep down', () => {
    const deep = {
      'node_modules/lit': { license: 'MIT', integrity: HASH, dependencies: { deep: '1.0.0' } },
      'node_modules/deep': { license: 'GPL-2.0-only', integrity: HASH },
    };
    assert.match(problems(deep).join(), /^deep has the licence GPL-2.0-only/);
    assert.deepEqual(problems({ 'node_modules/tool': { license: 'GPL-2.0-only', integrity: HASH } }), []);
  });

  it('run no script at installation that nobody allowed', () => {
    const packages = {
      'node_modules/esbuild': { license: 'MIT', integrity: HASH, hasInstallScript: true },
      'node_modules/new': { license: 'MIT', integrity: HASH, hasInstallScript: true },
    };
    assert.match(problems(packages).join(), /^node_modules\/new runs a script/);
  });

  it('have a hash, and come from the registry', () => {
    assert.match(problems({ 'node_modules/a': {} }).join(), /a has no SHA-512/);
    assert.match(problems({ 'node_modules/a': { integrity: 'sha1-AAAA' } }).join(), /a has no SHA-512/);
    assert.deepEqual(problems({ 'node_modules/a': { optional: true } }), []);
    const resolved = 'https://elsewhere.example/a.tgz';
    assert.match(problems({ 'node_modules/a': { integrity: HASH, resolved } }).join(), /not the registry/);
  });

  it('have exact versions, the same in the lock file', () => {
    const changed = (lit: string) => problems({}, { ...manifest, dependencies: { lit } }).join();
    assert.match(changed('^3.3.3'), /give an exact version/);
    assert.match(changed('3.3.4'), /another version of lit/);
  });
});
