import { findOrInstall } from './installed-tool.ts'
import type { KeptProcess } from './kept-process.ts'

/**
 * Names under which tests reach a gateway on this machine's loopback as people do in their network: by plain http, where a
 * browser is not in a secure context. Everything but loopback is an unused name.
 */
const NAMES = 'MAP *.lan.test 127.0.0.1, MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

/**
 * Starts the one browser that all test files of a run share. Each connects by `url` and sees only the windows that it
 * opened itself. It ends with this process, however that ends: it hangs on a pipe.
 */
export async function startBrowserServer(): Promise<KeptProcess & { readonly url: string }> {
  const executablePath = await findOrInstall('chromium')
  const { chromium } = await import('playwright-core')
  const server = await chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: [`--host-resolver-rules=${NAMES}`, '--force-color-profile=srgb', '--font-render-hinting=none'],
    // Chromium refuses its sandbox to root, as whom containers run.
    chromiumSandbox: process.getuid?.() !== 0,
  })
  return { url: server.wsEndpoint(), stop: () => server.close() }
}
