import 'carabiner/elements';
import 'carabiner/types/vue';
import { createApp } from 'vue';
import Shop from './shop.vue';

createApp(Shop).mount('#root');
