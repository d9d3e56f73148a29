import '@fontsource/cinzel/latin-700.css';
import '@fontsource/source-sans-3/latin-400.css';
import '@fontsource/source-sans-3/latin-600.css';
import '@fontsource/source-sans-3/latin-700.css';
import './app.css';
import './games';
import { mount } from 'svelte';
import App from './App.svelte';
import { applyAppearance } from './lib/app/settings.svelte';

applyAppearance();
const target = document.getElementById('app') as HTMLElement;
target.replaceChildren(); // what index.html shows until now
mount(App, { target });

if ('serviceWorker' in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
