import 'carabiner/elements';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { About } from './about';
import { App } from './app';
import { Pay } from './pay';

const routes = [
  { path: '', component: Pay },
  { path: 'about', component: About },
];

bootstrapApplication(App, { providers: [provideRouter(routes)] }).catch(console.error);
