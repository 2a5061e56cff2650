import 'carabiner/types/svelte';
