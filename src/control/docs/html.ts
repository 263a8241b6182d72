/** A piece of markup in which every text is escaped. Only this file makes it from texts. */
export interface Html {
  readonly markup: string
}

export function text(content: string): Html {
  return { markup: content.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character) }
}

/** Text in which what stands between backticks is code. */
export function withCode(content: string): Html {
  const pieces = content.split('`')
  return join(pieces.map((piece, i) => (i % 2 === 1 ? element('code', {}, [text(piece)]) : text(piece))))
}

export function element(name: string, attributes: Readonly<Record<string, string>>, children: readonly Html[]): Html {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(value).markup}"`)
  return { markup: `<${name}${written.join('')}>${join(children).markup}</${name}>` }
}

export function join(pieces: readonly Html[]): Html {
  return { markup: pieces.map(({ markup }) => markup).join('') }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
