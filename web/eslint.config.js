import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import typescript from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  globalIgnores(['src/lib/server/protocol.ts', 'dev/']),
  js.configs.recommended,
  typescript.configs.recommended, // svelte-check checks the types
  svelte.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      // Most lists are drawings, options or lines of a text: nothing in them moves, and a key would be the index.
      'svelte/require-each-key': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'VariableDeclarator[init.callee.name="$props"] > ObjectPattern[properties.length>11]',
          message: 'A component takes fewer than 12 props. Give it an object where it needs more.',
        },
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig } },
  },
  { files: ['public/sw.js'], languageOptions: { globals: globals.serviceworker } },
);
