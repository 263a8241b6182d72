/** What `/metrics` says, as a test asks for it. */
export interface Scrape {
  readonly text: string
  /** The names of all families. */
  readonly families: readonly string[]
  /** The sum of a metric's values over all series with these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number
}

/** Reads `/metrics` at this origin. Rejects when it is refused. */
export async function scrape(origin: string, headers: Record<string, string> = {}): Promise<Scrape> {
  const answer = await fetch(`${origin}/metrics`, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}: ${text}`)
  const samples = text.split('\n').flatMap(readSample)
  return {
    text,
    families: [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name),
    sum: (name, labels = {}) =>
      samples
        .filter(
          (sample) =>
            sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
        )
        .reduce((sum, { value }) => sum + value, 0),
  }
}

function readSample(line: string): { name: string; labels: Record<string, string>; value: number }[] {
  const [, name, inside = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined || value === undefined) return []
  const labels = [...inside.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key = '', text = '']) => [key, text] as const,
  )
  return [{ name, labels: Object.fromEntries(labels), value: Number(value) }]
}
