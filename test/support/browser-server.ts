import { findOrInstall } from './installed-tool.ts'
import type { KeptProcess } from './kept-process.ts'

/**
 * Names under which tests reach a gateway on this machine's loopback as people do in their network: by plain http, where a
 * browser is not in a secure context. Everything but loopback is an unused name.
 */
const NAMES = 'MAP *.lan.test 127.0.0.1, MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

/**
 * A flag for tests: they open a page and look at it for a second or two, so compiling its program for speed, and collecting its
 * garbage on several threads, costs more of the processor than it saves. What the program does is the same; how long it
 * takes is not, so this is not for measurements.
 */
export const FOR_SHORT_VISITS = '--js-flags=--no-turbofan --no-maglev --single-threaded-gc'

/**
 * Starts the one browser that all test files of a run share. Each connects by `url` and sees only the windows that it
 * opened itself. It ends with this process, however that ends: it hangs on a pipe.
 */
export async function startBrowserServer(
  flags: readonly string[] = [],
): Promise<KeptProcess & { readonly url: string }> {
  const executablePath = await findOrInstall('chromium')
  const { chromium } = await import('playwright-core')
  const server = await chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: [`--host-resolver-rules=${NAMES}`, '--force-color-profile=srgb', '--font-render-hinting=none', ...flags],
    // Chromium refuses its sandbox to root, as whom containers run.
    chromiumSandbox: process.getuid?.() !== 0,
  })
  return { url: server.wsEndpoint(), stop: () => server.close() }
}
