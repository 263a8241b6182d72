/** The path at which a Tollgate has its prices. */
const PRICES_OF_TOLLGATE = '/api.json'

/** Where a list of prices is asked for; an address without a path is another Tollgate's. null: it cannot be asked. */
export function readPriceUrl(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.pathname === '/' && url.search === '') url.pathname = PRICES_OF_TOLLGATE
  url.hash = ''
  return url.href
}

export const PRICE_URL_FORM =
  'an http or https URL without user name and password, such as https://tollgate.example.com'
