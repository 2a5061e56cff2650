import 'carabiner/elements';
import 'carabiner/types/solid';
import { render } from 'solid-js/web';
import { Shop } from './shop';

render(() => <Shop />, document.querySelector('#root')!);
