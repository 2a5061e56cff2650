/** The payment providers by name. */
import type { ProviderDefinition } from './provider-definition.ts';
import * as registry from './registry.ts';

export const PROVIDERS: Readonly<Record<string, ProviderDefinition>> = registry;
