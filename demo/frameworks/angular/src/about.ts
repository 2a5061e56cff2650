import { Component } from '@angular/core';

@Component({ selector: 'app-about', template: '<p>We sell things.</p>' })
export class About {}
