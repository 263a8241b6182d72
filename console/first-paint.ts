/**
 * Runs before the first paint, from its own small file since the page allows no inline script: sets the theme and the
 * language of the last visit, takes the secret of a link out of the address bar, and has what the page needs fetched while
 * the rest is still on its way: its code, its words, and who is signed in.
 */
function beforeFirstPaint(root: HTMLElement): void {
  const theme = remembered('tollgate.theme')
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
  const tags = [remembered('tollgate.language'), ...navigator.languages]
  const language = tags.find((tag) => tag !== null && /^(zh|en)\b/i.test(tag)) ?? 'en'
  root.lang = /^zh/i.test(language) ? 'zh-CN' : 'en'
  // Where the console is, whatever path a reverse proxy serves it under: this file comes from there.
  const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href
  const site = new URL(own.replace(/\/console\/[^?#]*$/, '/'))
  const [, ...path] = location.pathname.slice(site.pathname.length).split('/')
  const [page = ''] = path
  fetchEarly(new URL('console/assets/', site), page === '' ? ['overview'] : path, root.lang === 'en')
  if (/^(set-up|invitation|reset-password|verify-email)$/.test(page) && location.hash !== '') {
    // `pages/outside/link-token.ts` takes it from there.
    Object.assign(window, { tollgateLink: location.hash })
    history.replaceState(null, '', location.pathname + location.search)
  }
  if (page === 'device' && location.hash !== '') keepDeviceCode(location.hash.slice(1))
  if (!/^(sign-in|set-up|invitation|reset-password|verify-email|register|prices|status|check-key)$/.test(page)) {
    // `api/me.ts` takes it from there, once.
    Object.assign(window, {
      tollgateMe: fetch(new URL('api/me', site), { headers: { accept: 'application/json', ...seeingHeader() } }),
    })
  }
  // The first formats of a page take long, and while its files are on their way there is nothing else to do.
  setTimeout(() => new Intl.DateTimeFormat(root.lang, { dateStyle: 'medium', timeStyle: 'short' }).format())
  setTimeout(() => new Intl.NumberFormat(root.lang, { style: 'currency', currency: 'USD' }).format(0))
}

/** The code of a program that asks to be signed in, for `forms/kept-code.ts`: it outlives the way over the sign-in page. */
function keepDeviceCode(code: string): void {
  try {
    sessionStorage.setItem('tollgate.device-code', JSON.stringify({ code, isTyped: false, at: Date.now() }))
    history.replaceState(null, '', location.pathname + location.search)
  } catch {
    // It stays in the address then, where the page reads it, too.
  }
}

/** The header that names whose console an admin sees in this tab, as `api/seeing.ts` keeps it. */
function seeingHeader(): Record<string, string> {
  try {
    const seeing = JSON.parse(sessionStorage.getItem('tollgate.see-as') ?? 'null') as { grant?: unknown } | null
    return typeof seeing?.grant === 'string' ? { 'x-tollgate-see-as': seeing.grant } : {}
  } catch {
    return {}
  }
}

/** What `page-files.ts` wrote down; this script is compiled alone, and imports nothing. */
interface PageFiles {
  readonly fonts: readonly string[]
  readonly files: readonly string[]
  readonly pages: Readonly<Record<string, readonly [readonly number[], readonly number[], readonly number[]]>>
}

function fetchEarly(assets: URL, path: readonly string[], isEnglish: boolean): void {
  const list = document.querySelector<HTMLMetaElement>('meta[name="tollgate-pages"]')
  if (list === null) return
  const { fonts, files, pages } = JSON.parse(list.content) as PageFiles
  for (const name of isSlow() ? [] : fonts) {
    preload({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: new URL(name, assets).href })
  }
  const needed = pages[path.join('/')] ?? pages[[...path.slice(0, -1), '$'].join('/')]
  if (needed === undefined) return
  const [code, english, chinese] = needed
  for (const place of [...code, ...(isEnglish ? english : chinese)]) {
    preload({ rel: 'modulepreload', href: new URL(files[place] ?? '', assets).href })
  }
}

function preload(what: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), what))
}

/** Whether the typeface would take the line from the code; a later visit has it. Some browsers do not say. */
function isSlow(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly downlink?: number } }
  return (connection?.downlink ?? Infinity) < SLOW_MBITS
}

/** A browser may forbid storage altogether. */
function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

const SLOW_MBITS = 4

beforeFirstPaint(document.documentElement)
