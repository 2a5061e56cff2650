/** Everything that an application can import, with its types as TypeScript prints them. */
import { join } from 'node:path';
import { isIdentifier, type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  API,
  ModifierFlags,
  NodeBuilderFlags,
  type Project,
  type Symbol,
  SymbolFlags,
} from 'typescript/unstable/sync';
import { ROOT } from '../command.ts';

/** Entries of `exports` in package.json that have code. */
const ENTRIES = {
  carabiner: 'src/index.ts',
  'carabiner/elements': 'src/elements/index.ts',
  'carabiner/chains': 'src/chains/index.ts',
  'carabiner/wagmi': 'src/wagmi.ts',
  'carabiner/react': 'src/react/index.ts',
  'carabiner/service': 'src/service-sdk/index.ts',
  'carabiner/testing': 'src/testing/index.ts',
  'carabiner/connect.js': 'src/connect.ts',
};

const SOURCE = `${join(ROOT, 'src')}/`;
const WHOLE =
  NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias | NodeBuilderFlags.MultilineObjectLiterals;
/** Types that are computed from values or other types: their result is printed. */
const SCHEMA = /\bz\.(infer|output|input)\b/;
const COMPUTED = /\bz\.(infer|output|input)\b|\b(Omit|Pick)<|\btypeof /;
const HIDDEN =
  ModifierFlags.Private | ModifierFlags.Protected | ModifierFlags.Static | ModifierFlags.Override;
/** The start of a declaration. */
const DECLARATION = /^(?=(?:class|const|function|interface|type) )/gm;
/** Longer lines are broken where possible. */
const WIDTH = 120;

/** The part of a declaration's syntax tree that is printed. */
interface Signature extends Node {
  readonly name?: Node;
  readonly type?: Node;
  readonly typeParameters?: readonly Node[];
  readonly parameters?: readonly Node[];
  readonly questionToken?: Node;
}

export interface Member {
  name: string;
  /** `walletId: string`, `show(): Promise<TransactionResult>`. */
  text: string;
  isMethod: boolean;
}

export interface Element {
  tag: string;
  members: Member[];
}

export interface Types {
  /** Declarations by entry, each sorted by name. Those that no entry exports are with the first that mentions them. */
  entries: Record<string, string[]>;
  elements: Element[];
  /** Class of each event, by the event's name. */
  events: Record<string, string>;
}

/** Reads `src/` as the build of the npm package does. Takes about a second. */
export function readTypes(): Types {
  const api = new API({ cwd: ROOT });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.build.json')] });
    return new Reader(snapshot.getProjects()[0]!).read();
  } finally {
    api.close();
  }
}

class Reader {
  readonly #exported = new Set<number>();
  /** The entry that has the declaration. */
  readonly #declared = new Map<number, string>();
  readonly #mentioned = new Map<number, Symbol>();

  constructor(readonly project: Project) {}

  read(): Types {
    const all = Object.entries(ENTRIES).map(([entry, path]) => [entry, this.#exportsOf(path)] as const);
    for (const [, symbols] of all) for (const { id } of symbols) this.#exported.add(id);
    const entries = Object.fromEntries(
      all.map(([entry, symbols]) => [entry, this.#declareOnce(entry, symbols)]),
    );
    const elements = all[1]![1].flatMap((symbol) => this.#element(symbol) ?? []);
    return {
      entries,
      elements: elements.toSorted((a, b) => byFirst([a.tag], [b.tag])),
      events: this.#events(),
    };
  }

  #exportsOf(path: string): Symbol[] {
    const { checker, program } = this.project;
    const file = program.getSourceFile(join(ROOT, path))!;
    return checker
      .getExportsOfModule(checker.getSymbolAtLocation(file)!)
      .map((symbol) => this.#target(symbol))
      .toSorted((a, b) => byFirst([a.name], [b.name]));
  }

  #target(symbol: Symbol): Symbol {
    return symbol.flags & SymbolFlags.Alias ? this.project.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** Declarations of an earlier entry are only named. */
  #declareOnce(entry: string, symbols: readonly Symbol[]): string[] {
    const named = new Map<string, string[]>();
    const declarations: [name: string, text: string][] = [];
    for (const symbol of symbols) {
      const other = this.#declared.get(symbol.id);
      if (other !== undefined) {
        named.set(other, [...(named.get(other) ?? []), symbol.name]);
        continue;
      }
      this.#declared.set(symbol.id, entry);
      declarations.push([symbol.name, this.#declare(symbol).replaceAll(DECLARATION, 'export ')]);
    }
    // Their own declarations may mention more.
    for (const symbol of this.#mentioned.values()) {
      if (this.#declared.has(symbol.id)) continue;
      this.#declared.set(symbol.id, entry);
      declarations.push([symbol.name, this.#declare(symbol)]);
    }
    return [
      ...declarations.toSorted(byFirst).map(([, text]) => text),
      ...[...named].map(([other, names]) => `export { ${names.join(', ')} } from '${other}';`),
    ];
  }

  #declare(symbol: Symbol): string {
    if (symbol.flags & SymbolFlags.Class) return this.#class(symbol);
    const isType = symbol.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias);
    if (!isType) return this.#value(symbol);
    const type = this.#type(symbol);
    // A class has two declarations: its constructor and its type. A schema's value is not printed.
    return symbol.flags & SymbolFlags.Variable && !this.#isSchema(symbol)
      ? `${type}\n${this.#value(symbol)}`
      : type;
  }

  #value(symbol: Symbol): string {
    const { checker } = this.project;
    const node: Signature = symbol.valueDeclaration!.resolve()!;
    this.#mention(node);
    if (symbol.flags & SymbolFlags.Function) return tidy(`function ${symbol.name}${this.#callOf(node)};`);
    const type = checker.typeToString(checker.getTypeOfSymbol(symbol)!, undefined, WHOLE);
    return tidy(`const ${symbol.name}: ${type};`);
  }

  #type(symbol: Symbol): string {
    const { checker, emitter } = this.project;
    const node = nodesOf(symbol).find(
      ({ kind }) => kind === SyntaxKind.InterfaceDeclaration || kind === SyntaxKind.TypeAliasDeclaration,
    )!;
    const text = emitter.printNode(node).replace(/^(export |declare )+/, '');
    if (COMPUTED.test(text) && symbol.flags & SymbolFlags.TypeAlias) {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      return tidy(`type ${symbol.name} = ${checker.typeToString(type, undefined, WHOLE)};`);
    }
    this.#mention(node);
    return tidy(text);
  }

  #isSchema(symbol: Symbol): boolean {
    return nodesOf(symbol).some((node) => SCHEMA.test(this.#print(node)));
  }

  #class(symbol: Symbol): string {
    const tag = this.#tagOf(symbol);
    if (tag) return `class ${symbol.name} {} // <${tag}>`;
    const node = nodesOf(symbol)[0]!;
    const base = /\bextends [\w.]+(?:<[^<>]*>)?\s*$/.exec(this.#print(node).split('{', 1)[0]!)?.[0].trimEnd();
    const members = [...symbol.getMembers().values()];
    const constructors = members
      .filter((member) => !this.#isInternal(member))
      .flatMap(nodesOf)
      .filter(({ kind }) => kind === SyntaxKind.Constructor);
    return tidy(
      [
        `class ${symbol.name}${this.#genericOf(node)}${base ? ` ${base}` : ''} {`,
        ...constructors.map((each: Signature) => `  constructor${this.#callOf(each)};`),
        ...this.#membersOf(members).map(({ text }) => `  ${text};`),
        '}',
      ].join('\n'),
    );
  }

  /** `(id: string, options?: CallOptions): Promise<Wallet>` */
  #callOf(node: Signature): string {
    const { parameters = [], type } = node;
    const taken = parameters.map((each) => this.#print(each).replace(/^(readonly|public) /, ''));
    return `${this.#genericOf(node)}(${taken.join(', ')})${type ? `: ${this.#print(type)}` : ''}`;
  }

  #genericOf({ typeParameters }: Signature): string {
    return typeParameters ? `<${typeParameters.map((each) => this.#print(each)).join(', ')}>` : '';
  }

  #print(node: Node): string {
    return this.project.emitter.printNode(node);
  }

  /** Public ones. */
  #membersOf(symbols: readonly Symbol[]): Member[] {
    const { checker } = this.project;
    return symbols.flatMap((member): Member[] => {
      const node: Signature | undefined = nodesOf(member).find(isOurs);
      if (!node || modifiersOf(node) & HIDDEN) return [];
      const { name } = member;
      if (
        this.#isInternal(member) ||
        member.flags & SymbolFlags.TypeParameter ||
        name.includes('#') ||
        node.kind === SyntaxKind.Constructor
      )
        return [];
      this.#mention(node);
      if (member.flags & SymbolFlags.Method)
        return [{ name, text: name + this.#callOf(node), isMethod: true }];
      const readOnly = modifiersOf(node) & ModifierFlags.Readonly || node.kind === SyntaxKind.GetAccessor;
      const type = node.type
        ? this.#print(node.type)
        : checker.typeToString(checker.getTypeOfSymbol(member)!);
      const mark = node.questionToken ? '?' : '';
      return [{ name, text: `${readOnly ? 'readonly ' : ''}${name}${mark}: ${type}`, isMethod: false }];
    });
  }

  #isInternal(symbol: Symbol): boolean {
    return this.project.checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === 'internal');
  }

  #tagOf(symbol: Symbol): string | undefined {
    const tags = this.project.checker.getJsDocTagsOfSymbol(symbol);
    return tags.find(({ name }) => name === 'element')?.text;
  }

  #element(symbol: Symbol): Element | undefined {
    const { checker } = this.project;
    const tag = this.#tagOf(symbol);
    if (!tag) return undefined;
    const members = this.#membersOf(checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)));
    return {
      tag,
      members: members.toSorted((a, b) =>
        byFirst([a.text.replace('readonly ', '')], [b.text.replace('readonly ', '')]),
      ),
    };
  }

  #events(): Record<string, string> {
    const { checker } = this.project;
    const map = checker.resolveName('GlobalEventHandlersEventMap', SymbolFlags.Interface)!;
    const own = checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(map))
      .filter((each) => nodesOf(each).some(isOurs));
    return Object.fromEntries(
      own
        .toSorted((a, b) => byFirst([a.name], [b.name]))
        .map((each) => {
          const { type }: Signature = nodesOf(each).find(isOurs)!;
          return [each.name, this.#print(type!)];
        }),
    );
  }

  /** Keeps the types of `src/` in a declaration that no entry exports. */
  #mention(node: Node): void {
    const { checker } = this.project;
    const visit = (at: Node): void => {
      if (at.kind === SyntaxKind.Block || modifiersOf(at) & HIDDEN) return;
      if (isIdentifier(at) && at.parent.kind !== SyntaxKind.PropertyAssignment)
        this.#noteType(checker.getSymbolAtLocation(at));
      at.forEachChild(visit);
    };
    node.forEachChild(visit);
  }

  #noteType(found: Symbol | undefined): void {
    if (!found) return;
    const symbol = this.#target(found);
    const isType = symbol.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Class);
    if (!isType || this.#tagOf(symbol) || this.#exported.has(symbol.id) || this.#mentioned.has(symbol.id))
      return;
    if (nodesOf(symbol).some(isOurs)) this.#mentioned.set(symbol.id, symbol);
  }
}

function isOurs(node: Node): boolean {
  return node.getSourceFile().fileName.startsWith(SOURCE);
}

function nodesOf(symbol: Symbol): Node[] {
  return symbol.declarations.flatMap((each) => each.resolve() ?? []);
}

const MODIFIERS: Partial<Record<SyntaxKind, ModifierFlags>> = {
  [SyntaxKind.PrivateKeyword]: ModifierFlags.Private,
  [SyntaxKind.ProtectedKeyword]: ModifierFlags.Protected,
  [SyntaxKind.StaticKeyword]: ModifierFlags.Static,
  [SyntaxKind.OverrideKeyword]: ModifierFlags.Override,
  [SyntaxKind.ReadonlyKeyword]: ModifierFlags.Readonly,
};

function modifiersOf(node: Node | undefined): number {
  const { modifiers = [] } = (node ?? {}) as { modifiers?: readonly Node[] };
  return modifiers.reduce((flags, { kind }) => flags | (MODIFIERS[kind] ?? 0), 0);
}

function byFirst([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two spaces a level, single quotes, a line for each member of a long union. */
function tidy(text: string): string {
  return text
    .replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))
    .replaceAll('"', "'")
    .replaceAll(/^(type \w+ =) (.+;)$/gm, (line, head: string, union: string) =>
      line.length > WIDTH ? `${head}\n  | ${union.replaceAll(' | ', '\n  | ')}` : line,
    );
}
