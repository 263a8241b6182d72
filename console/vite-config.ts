import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import { defineConfig, minify, transformWithOxc, type Plugin } from 'vite'
import { pageFiles } from './page-files.ts'

const HERE = import.meta.dirname

/**
 * What several pages share goes into few files: over a line with delay, twenty small ones take longer than their bytes.
 * What floats (menus, dialogs, choices) is a third of it all, and stays out of the pages that have none.
 */
const SHARED_FILES = [
  { name: 'libraries', test: /node_modules\/(preact|use-sync-external-store|@tanstack)\/|console\/renderer\// },
  { name: 'choices', test: /@base-ui\/react\/combobox|console\/ui\/(search-)?combobox/ },
  {
    name: 'menus',
    test: /@base-ui\/react\/(menu|menubar|context-menu|separator)\/|console\/ui\/(menu-(items|popup)|download-items)/,
  },
  { name: 'floating', test: /node_modules\/@(base-ui|floating-ui)\/(?!react\/(csp-provider|internals\/csp-context))/ },
  { name: 'dialogs', test: /console\/ui\/dialog-window/ },
  { name: 'fault-fixes', test: /console\/pages\/faults\/(?!credit-dialog)|src\/causes\/fixes/ },
  {
    name: 'table',
    test: /console\/table\/(?!table-search|[\w-]+-menu-items|(table|kept|use-table)-choices|kept-texts)/,
  },
  {
    name: 'cards',
    test: /console\/(pages\/(usage\/request-lines|overview\/overview-tile)|shell\/notices\/notice-text|api\/failed-first)\./,
  },
  { name: 'keys', test: /console\/pages\/keys\/(key-cells|key-name|use-key-step|key-step|key-actions)\./ },
  { name: 'models', test: /console\/(pages\/models\/(key-link|model-list|price-rows)|api\/price-kinds)\./ },
  {
    name: 'ledger',
    test: /console\/pages\/billing\/(ledger-table|charged-request|order-list|purchase-of|redeem-card)\./,
  },
  { name: 'records', test: /console\/pages\/usage\/(record-columns|record-outcome|(use-)?usage-search|span)\./ },
  { name: 'typed-numbers', test: /src\/core\/typed-number|console\/forms\/typed-numbers/ },
  {
    name: 'forms',
    test: /console\/(forms\/|ui\/(radio-cards|disclosure|tabs|code-block|client-chips|detail-list|back-link|fault-code)\.)/,
  },
  {
    name: 'parts',
    test: /preload-helper|src\/causes\/explanation|console\/(ui\/(?!favourite-button|qr-code|save-text)|format|preferences|api\/(request|api-problem|idempotency|connection|me|billing|groups|instance|keys|key-messages|key-report|usage|use-needs-credit|use-person-id|use-may|seeing|models|sign-in|alerts|payments|overview|access-tokens)|chart\/sparkline|pages\/(keys\/key-days|try-link|client-names)|costs\/explained-cost|admin-pages|shell\/(logo|connection-strip|password-notice|shell-keys|identity-guard)|table\/((table|kept|use-table)-choices|kept-texts|table-search)|loaded-once|report-broken|stored-text|language|paths\.|site\.|dictionaries\/(plural|chinese-spacing|page-texts|texts|fault-text|problem-text|shell\.))/,
  },
].map((group, index, { length }) => ({ ...group, priority: length - index }))

/** Preact draws what is written for React, our own code and libraries alike (decision 0162). */
const RENDERER = [
  { find: /^react$/, replacement: join(HERE, 'renderer', 'react.ts') },
  { find: /^use-sync-external-store\/shim$/, replacement: 'preact/compat' },
  { find: /^react-dom(\/client)?$/, replacement: join(HERE, 'renderer', 'react-dom.ts') },
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/compat/jsx-runtime' },
]

/** How the console is built. Everything is a file of this origin with a hash in its name; nothing is inlined. */
export default defineConfig({
  root: HERE,
  // What is built names its files as seen from the page: the gateway says how far up they are. `tools/dev.ts` has another.
  base: './',
  publicDir: false,
  resolve: { alias: RENDERER },
  // The script stands after the list that it reads.
  plugins: [tailwind(), firstPaint(), pageFiles(), pagesOfTheClient()],
  build: {
    outDir: join(HERE, '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The bar is on compressed sizes, and a test measures it.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: join(HERE, 'console.html'),
      // Libraries say that they are for clients.
      checks: { moduleLevelDirective: false },
      output: { codeSplitting: { groups: SHARED_FILES, includeDependenciesRecursively: false } },
    },
  },
})

/** Puts `first-paint.ts` before everything else as a script that blocks: a module would run after the first paint. */
function firstPaint(): Plugin {
  const source = join(HERE, 'first-paint.ts')
  const compile = async (): Promise<string> => {
    const plain = await transformWithOxc(await readFile(source, 'utf8'), source)
    return (await minify('first-paint.js', `{${plain.code}}`)).code
  }
  let fileName = 'first-paint.js'
  let base = '/console/'
  return {
    name: 'first-paint',
    configResolved: (config) => void (base = config.base),
    async buildStart() {
      if (this.meta.watchMode) return
      const text = await compile()
      fileName = `assets/first-paint-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source: text })
    },
    configureServer: (server) => {
      server.middlewares.use('/console/first-paint.js', (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        compile().then(
          (text) => response.end(text),
          () => response.destroy(),
        )
      })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `${base}${fileName}` }, injectTo: 'head-prepend' }],
  }
}

/** While developing, every path of the client's router gets the one page. */
function pagesOfTheClient(): Plugin {
  return {
    name: 'pages-of-the-client',
    configureServer: (server) => {
      server.middlewares.use((request, _response, next) => {
        const isPage = request.headers.accept?.includes('text/html') === true
        if (isPage && request.url?.startsWith('/console') === true) request.url = '/console/console.html'
        next()
      })
    },
  }
}
