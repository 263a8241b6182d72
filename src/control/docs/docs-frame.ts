import { element, type Html, join, text } from './html.ts'

const PLACES = [
  ['/docs', 'Documentation'],
  ['/docs/errors', 'Error codes'],
  ['/api/docs', 'Console API'],
] as const

/** What stands around the content of every page below /docs. */
export function docsFrame(parts: readonly Html[]): Html {
  const links = PLACES.map(([href, title]) => element('li', {}, [element('a', { href }, [text(title)])]))
  return join([
    element('nav', { 'aria-label': 'Documentation' }, [element('ul', {}, links)]),
    element('main', {}, parts),
  ])
}
