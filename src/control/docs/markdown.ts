import { Marked, Renderer } from 'marked'
import { element, type Html, text } from './html.ts'

/**
 * The Markdown that our own pages are written in, as HTML. HTML in it is shown as text. `linkTo` says where a link of the
 * source leads.
 */
export function markdown(source: string, linkTo: (target: string) => string): Html {
  const marked = new Marked({
    renderer: {
      html: (token) => text(token.text).markup,
      link({ href, tokens }) {
        return element('a', { href: linkTo(href) }, [{ markup: this.parser.parseInline(tokens) }]).markup
      },
      heading({ tokens, depth, text: title }) {
        const inside = { markup: this.parser.parseInline(tokens) }
        return element(`h${depth}`, depth === 1 ? {} : { id: anchorOf(title) }, [inside]).markup
      },
      // What scrolls sideways can be reached by the keyboard.
      code: (token) => element('pre', { tabindex: '0' }, [element('code', {}, [text(token.text)])]).markup,
      table(token) {
        const table = { markup: Renderer.prototype.table.call(this, token) }
        return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' }, [table]).markup
      },
    },
  })
  return { markup: marked.parse(source, { async: false }) }
}

/** The anchor of a heading, as links name it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
