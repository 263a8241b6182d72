/** Debian's Firefox, by the protocol that all browsers are learning (WebDriver BiDi): the second browser of the tests. */
import { type Browser, launch } from 'puppeteer-core'
import { findOrInstall } from './installed-tool.ts'
import { PATIENCE_MS } from './patience.ts'

/** Starts one with a profile of its own, which speaks the language. Close it: it is a process of the caller's. */
export async function startFirefox(language: string): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: await findOrInstall('firefox'),
    headless: true,
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
    extraPrefsFirefox: { 'intl.accept_languages': language, 'ui.prefersReducedMotion': 1 },
  })
}
