/** The React component of a custom element, for React 18 and 19, hydrated or not. */
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type PropsWithoutRef,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type { ReactiveElement } from 'lit';
import type { ElementTypes } from '../elements/element-types.ts';

type Tag = keyof ElementTypes & string;
type Own<T extends Tag> = Pick<
  ElementTypes[T]['element'],
  ElementTypes[T]['properties'] & keyof ElementTypes[T]['element']
>;
type Camel<Name> = Name extends `connect-${infer What}` ? `onConnect${Capitalize<What>}` : never;
type Events<T extends Tag> = ElementTypes[T]['events'];

/** The component's props: properties and events of the element, and those of any element. */
export type Props<T extends Tag> = Omit<HTMLAttributes<ElementTypes[T]['element']>, keyof Own<T>> & {
  [Name in keyof Own<T>]?: Own<T>[Name] | undefined;
} & { [Name in keyof Events<T> as Camel<Name>]?: ((event: Events<T>[Name]) => void) | undefined };

export type Component<T extends Tag> = ForwardRefExoticComponent<
  PropsWithoutRef<Props<T>> & RefAttributes<ElementTypes[T]['element']>
>;

type Values = Record<string, unknown>;
type Listener = (event: Event) => void;

const EVENTS: Readonly<Record<string, string>> = {
  onConnectRequest: 'connect-request',
  onConnectProgress: 'connect-progress',
  onConnectResult: 'connect-result',
  onConnectCancel: 'connect-cancel',
  onConnectError: 'connect-error',
};

/** No answer may be delivered before the listeners are attached, or after they were cleaned up. */
const DEFERRED = 'defer-hydration';

/** Before the browser paints. React 18 warns of `useLayoutEffect` on a server. */
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * React sets text as attributes, which servers render too. Everything else is set here, and so are listeners: React 18 cannot, and React 19
 * drops both when it hydrates (facebook/react#35446).
 */
export function component<T extends Tag>(tag: T, element: typeof ReactiveElement): Component<T> {
  const attributes = attributesOf(element);
  const Wrapper = forwardRef<HTMLElement, Values>((props, ref) => {
    const target = useRef<HTMLElement>(null);
    const { markup, properties, listeners } = sort(props, attributes);

    const latest = useRef(listeners);
    useBrowserEffect(() => {
      latest.current = listeners;
    });
    useBrowserEffect(() => {
      const node = target.current!;
      const hear = (event: Event): void => latest.current[event.type]?.(event);
      const types = Object.values(EVENTS);
      for (const type of types) node.addEventListener(type, hear);
      node.removeAttribute(DEFERRED);
      return () => {
        for (const type of types) node.removeEventListener(type, hear);
        // React may only hide it: `<Activity>`, or a `<Suspense>` that waits again.
        node.setAttribute(DEFERRED, '');
      };
    }, []);

    const set = useRef<Values>({});
    useBrowserEffect(() => {
      const node = target.current as unknown as Values;
      for (const name of new Set([...Object.keys(set.current), ...Object.keys(properties)])) {
        const isMarkup = attributes[name] != null && attributes[name] in markup;
        if (!isMarkup && set.current[name] !== properties[name]) node[name] = properties[name];
      }
      set.current = properties;
    });

    useImperativeHandle(ref, () => target.current!, []);
    return createElement(tag, {
      // The element itself sets `lang` and `dir` if the page's language differs.
      suppressHydrationWarning: true,
      ...markup,
      // It never changes, so React leaves it to the effect.
      [DEFERRED]: '',
      ref: target,
    });
  });
  Wrapper.displayName = tag;
  return Wrapper as unknown as Component<T>;
}

/** The attribute of each property; null if it has none. */
type Attributes = Readonly<Record<string, string | null>>;

function attributesOf(element: typeof ReactiveElement): Attributes {
  // Reading this makes Lit finalise the properties of this class and its superclasses.
  void element.observedAttributes;
  return Object.fromEntries(
    [...element.elementProperties].flatMap(([name, { attribute, state }]): [string, string | null][] => {
      if (state || attribute === false) return state ? [] : [[String(name), null]];
      return [[String(name), typeof attribute === 'string' ? attribute : String(name).toLowerCase()]];
    }),
  );
}

interface Sorted {
  /** What React renders as attributes. */
  markup: Values;
  properties: Values;
  /** Listeners, by the event's name. */
  listeners: Record<string, Listener | undefined>;
}

function sort(props: Values, attributes: Attributes): Sorted {
  const sorted: Sorted = { markup: {}, properties: {}, listeners: {} };
  for (const [name, value] of Object.entries(props)) {
    const attribute = attributes[name];
    const event = EVENTS[name];
    if (event !== undefined) sorted.listeners[event] = value as Listener | undefined;
    // React 18 would write `classname`.
    else if (attribute === undefined) sorted.markup[name === 'className' ? 'class' : name] = value;
    else if (attribute !== null && (typeof value === 'string' || typeof value === 'number'))
      sorted.markup[attribute] = value;
    else sorted.properties[name] = value;
  }
  return sorted;
}
