import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Everything is built into the server's folder; nothing is inlined, since the page runs under a strict CSP.
export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: {
    outDir: '../src/quadriga/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
  },
  server: { fs: { allow: ['..'] }, proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
