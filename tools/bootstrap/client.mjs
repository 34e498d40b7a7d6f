/**
 * The page of `sqldyno ui` from src/web/client/ to dist/: `node client.mjs ROOT`. A program of its own, since Vite
 * changes the environment of the one that it runs in.
 */
import { join } from 'node:path';
import { build } from 'vite';

const root = process.argv[2] ?? '.';

await build({
  root: join(root, 'src/web/client'),
  configFile: false,
  // The page stands for itself: nothing of a shell or of a file `.env` gets into it.
  envDir: false,
  envPrefix: 'SQLDYNO_PAGE_',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(root, 'dist/src/web/client'),
    emptyOutDir: true,
    target: 'es2022',
    // Data in addresses would need a wider security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
});
