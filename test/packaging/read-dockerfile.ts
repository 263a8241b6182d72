/** The instructions of a Dockerfile, stage by stage. Throws for what is none. */

interface Instruction {
  /** The name, in capitals. */
  readonly name: string
  /** The rest of it, in one line without comments. */
  readonly text: string
}

export interface Dockerfile {
  /** The argument before the first stage, where there is one. */
  readonly global: { readonly ARG?: string }
  readonly stages: readonly { readonly from: string; readonly instructions: readonly Instruction[] }[]
}

const KNOWN =
  /^(ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)$/

export function readDockerfile(text: string): Dockerfile {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '')
  const stages: { from: string; instructions: Instruction[] }[] = []
  let argument: string | undefined
  for (const line of joined.split('\n')) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? []
    if (!KNOWN.test(name)) throw new Error(`not an instruction of a Dockerfile: ${line}`)
    if (name === 'FROM') stages.push({ from: rest, instructions: [] })
    else if (stages.length > 0) stages.at(-1)?.instructions.push({ name, text: rest })
    else if (name === 'ARG' && argument === undefined) argument = rest
    else throw new Error(`before the first stage stands one ARG alone, and not: ${line}`)
  }
  for (const { instructions } of stages) for (const { name, text: value } of instructions) refuseBadForm(name, value)
  return { global: argument === undefined ? {} : { ARG: argument }, stages }
}

/** A command in the form of a list is JSON; with a wrong quote it is silently taken as a shell's. */
function refuseBadForm(name: string, value: string): void {
  const list = /^(?:--\S+\s+)*(?:CMD\s+)?(\[.*)$/.exec(value)?.[1]
  if (list === undefined || !['CMD', 'ENTRYPOINT', 'HEALTHCHECK', 'SHELL'].includes(name)) return
  JSON.parse(list)
}
