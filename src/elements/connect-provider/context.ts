/** The context by which `<connect-provider>` gives its connect to the elements inside it. */
import { createContext } from '@lit/context';
import type { Connect } from '../../actions/types.ts';

export const connectContext = createContext<Connect>(Symbol.for('carabiner.connect'));
