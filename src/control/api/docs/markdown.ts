import { element, type Html, text } from './html.ts'

/**
 * The Markdown that our own pages are written in: headings, paragraphs, lists, fenced code, tables, links, bold, code.
 * `linkTo` says where a link of the source leads.
 */
export function markdown(source: string, linkTo: (target: string) => string): readonly Html[] {
  return blocksOf(source).map((block) => written(block, (line) => inline(line, linkTo)))
}

/** Lines that belong together; a fence holds blank lines as well. */
function blocksOf(source: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]]
  let isFenced = false
  for (const line of source.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced
    if (line.trim() === '' && !isFenced) blocks.push([])
    else blocks.at(-1)?.push(line)
  }
  return blocks.filter((block) => block.length > 0)
}

function written(lines: readonly string[], inner: (line: string) => readonly Html[]): Html {
  const [first = ''] = lines
  const heading = /^(#{1,4}) (.*)$/.exec(first)
  if (heading !== null) return element(`h${heading[1]?.length ?? 1}`, {}, inner(heading[2] ?? ''))
  if (first.startsWith('```')) {
    return element('pre', { tabindex: '0' }, [element('code', {}, [text(lines.slice(1, -1).join('\n'))])])
  }
  if (first.startsWith('- '))
    return element(
      'ul',
      {},
      itemsOf(lines).map((item) => element('li', {}, inner(item))),
    )
  if (first.startsWith('|')) return table(lines, inner)
  return element('p', {}, inner(lines.join(' ')))
}

/** An item goes on in the lines that are indented below it. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[] = []
  for (const line of lines) {
    const last = items.length - 1
    if (line.startsWith('- ')) items.push(line.slice(2))
    else items[last] = `${items[last] ?? ''} ${line.trim()}`
  }
  return items
}

function table(lines: readonly string[], inner: (line: string) => readonly Html[]): Html {
  const [head = [], , ...rows] = lines.map((line) => line.split('|').slice(1, -1))
  const row = (cells: readonly string[], name: string) =>
    element(
      'tr',
      {},
      cells.map((cell) => element(name, {}, inner(cell.trim()))),
    )
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' }, [
    element('table', {}, [
      element('thead', {}, [row(head, 'th')]),
      element(
        'tbody',
        {},
        rows.map((cells) => row(cells, 'td')),
      ),
    ]),
  ])
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[((?:`[^`]*`|[^\]])+)\]\(([^)\s]+)\)/g

function inline(line: string, linkTo: (target: string) => string): readonly Html[] {
  const pieces: Html[] = []
  let end = 0
  for (const found of line.matchAll(INLINE)) {
    const [whole, code, bold, emphasised, label, target] = found
    pieces.push(text(line.slice(end, found.index)))
    end = found.index + whole.length
    if (code !== undefined) pieces.push(element('code', {}, [text(code)]))
    else if (bold !== undefined) pieces.push(element('strong', {}, inline(bold, linkTo)))
    else if (emphasised !== undefined) pieces.push(element('em', {}, inline(emphasised, linkTo)))
    else pieces.push(element('a', { href: linkTo(target ?? '') }, inline(label ?? '', linkTo)))
  }
  return [...pieces, text(line.slice(end))]
}
