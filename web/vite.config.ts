import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// In the head the style sheet would hold back the first picture of index.html on a slow line. It goes after it.
const styleLast: Plugin = {
  name: 'style-last',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const links: string[] = [];
      const rest = html.replace(/\s*<link rel="stylesheet"[^>]*>/g, (link) => {
        links.push(link);
        return '';
      });
      return rest.replace('</body>', `${links.join('')}\n  </body>`);
    },
  },
};

// Everything is built into the server's folder; nothing is inlined, since the page runs under a strict CSP.
export default defineConfig({
  plugins: [svelte(), styleLast],
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
