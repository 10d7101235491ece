import react from '@vitejs/plugin-react';
import mantinePreset from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';
import { replyChecks } from './reply-checks.ts';

const bootFile = 'src/color-scheme-boot.ts';

// The colour scheme has to be known before the first paint, and the content security policy allows no
// inline script. So the few lines that set it are built as a hashed file of their own and placed in the
// head as a classic script, which, unlike a module, runs before the page is painted.
function colorSchemeBoot(): Plugin {
  let isBuild = false;
  return {
    name: 'color-scheme-boot',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    buildStart() {
      if (isBuild) this.emitFile({ type: 'chunk', id: bootFile, name: 'color-scheme-boot' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunk = Object.values(bundle ?? {}).find((file) => file.name === 'color-scheme-boot');
        const attrs = chunk
          ? { src: `/dashboard/${chunk.fileName}` }
          : { type: 'module', src: `/dashboard/${bootFile}` };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), colorSchemeBoot(), replyChecks()],
  css: { postcss: { plugins: [mantinePreset()] } },
  build: {
    outDir: '../server/pages',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'docs.html'],
      output: {
        codeSplitting: {
          // What both pages need is loaded once; React stays in the cache when only our code changes.
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 },
            // What only rooms share stays with them: it must not weigh on the front door. Nor does the reference, which
            // in turn does without the requests of the dashboard.
            {
              name: 'shared',
              tags: ['$initial'],
              minShareCount: 2,
              test: /^(?!.*(?:[\\/]src[\\/](?:api|docs)[\\/]|virtual:reply-checks))/,
            },
          ],
        },
      },
    },
  },
  server: {
    // During development everything outside the pages comes from a service started beside it.
    proxy: { '^/(?!dashboard/)': 'http://127.0.0.1:3000' },
  },
});
