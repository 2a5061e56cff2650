import 'carabiner/elements';
import 'carabiner/types/svelte';
import { mount } from 'svelte';
import Shop from './shop.svelte';

mount(Shop, { target: document.querySelector('#root')! });
