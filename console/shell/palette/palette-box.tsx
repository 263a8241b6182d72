import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import type { Command } from './command.ts'
import { bestFirst } from './rank.ts'
import { useCommands } from './use-commands.ts'
import { useFound } from './use-found.ts'
import { usePasted } from './use-pasted.ts'
import type { ShellPart } from '../shell-part.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'

/** The field of the palette and what it found: a combobox whose list is always open. */
export function PaletteBox(props: {
  readonly input: RefObject<HTMLInputElement | null>
  onRun(command: Command): void
  onOpen(part: ShellPart): void
}): ReactNode {
  const t = useShellTexts().palette
  const shared = useSharedTexts()
  const id = useId()
  const [typed, setTyped] = useState<Typed>({ text: '', pasted: null })
  const [chosen, setChosen] = useState(0)
  const { commands, isSearching } = useAll(typed, props.onOpen)
  const active = commands[Math.min(chosen, commands.length - 1)]
  const idOf = (command: Command): string => `${id}-${command.id}`
  useEffect(() => {
    if (active !== undefined) document.getElementById(idOf(active))?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  const type = (next: Typed): void => {
    setTyped(next)
    setChosen(0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      const at = active === undefined ? -1 : commands.indexOf(active)
      setChosen((at + step + commands.length) % commands.length)
    }
    if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault()
      props.onRun(active)
    }
  }
  const status = commands.length > 0 ? t.found(commands.length) : isSearching ? t.searching : t.none
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line py-1.5 pr-1.5 pl-4">
        <Icon name="search" className="text-ink-3" />
        <input
          ref={props.input}
          role="combobox"
          aria-label={t.title}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={active === undefined ? undefined : idOf(active)}
          aria-busy={isSearching}
          placeholder={t.placeholder}
          value={typed.text}
          maxLength={2_000}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => type({ text: event.currentTarget.value, pasted: null })}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain')
            // A field of one line would run its lines together.
            if (!pasted.trim().includes('\n')) return
            event.preventDefault()
            type({ text: pasted.replaceAll(/\s+/g, ' ').trim().slice(0, 200), pasted })
          }}
          onKeyDown={onKeyDown}
          className="min-h-11 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
        <Base.Close render={<IconButton icon="close" label={shared.close} />} />
      </div>
      <PaletteList
        id={`${id}-list`}
        label={t.title}
        parts={[...byPart(commands)].map(([name, those]) => ({ name, title: t.parts[name], commands: those }))}
        active={active}
        idOf={idOf}
        onPoint={(command) => setChosen(commands.indexOf(command))}
        onRun={props.onRun}
      />
      {commands.length === 0 && (
        <p aria-hidden="true" className="px-4 py-6 text-center text-ink-3">
          {status}
        </p>
      )}
      <p role="status" className="sr-only">
        {status}
      </p>
      <div aria-hidden="true" className="hidden gap-4 border-t border-line px-4 py-2 text-sm text-ink-3 sm:flex">
        <span className="flex items-center gap-1.5">
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> {t.move}
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd>↵</Kbd> {t.choose}
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd>esc</Kbd> {t.close}
        </span>
      </div>
    </>
  )
}

interface Typed {
  /** The text that the field shows. */
  readonly text: string
  /** All lines of what was pasted; null: it was typed, or has one line. */
  readonly pasted: string | null
}

/** Everything that fits what was typed, in the order in which it is shown. */
function useAll(
  typed: Typed,
  onOpen: (part: ShellPart) => void,
): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const fixed = useCommands(onOpen)
  const words = typed.text.trim()
  const pasted = usePasted(typed.pasted ?? words)
  const found = useFound(pasted.isSearchable ? words : '')
  const commands = [...pasted.commands, ...(typed.pasted === null ? bestFirst(words, fixed) : []), ...found.commands]
  // The part with the best line comes first.
  return { commands: [...byPart(commands).values()].flat(), isSearching: found.isSearching }
}

function byPart(commands: readonly Command[]): ReadonlyMap<Command['part'], readonly Command[]> {
  return Map.groupBy(commands, ({ part }) => part)
}

interface Part {
  readonly name: string
  readonly title: string
  readonly commands: readonly Command[]
}

/** What the palette found, by parts. The field keeps the focus; the marked line is the one that Enter takes. */
function PaletteList(props: {
  readonly id: string
  readonly label: string
  readonly parts: readonly Part[]
  readonly active: Command | undefined
  idOf(command: Command): string
  onPoint(command: Command): void
  onRun(command: Command): void
}): ReactNode {
  return (
    <div
      id={props.id}
      role="listbox"
      aria-label={props.label}
      // A press on a line leaves the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5 empty:hidden"
    >
      {props.parts.map((part) => (
        <div key={part.name} role="group" aria-labelledby={`${props.id}-${part.name}`}>
          <div id={`${props.id}-${part.name}`} role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-ink-3">
            {part.title}
          </div>
          {part.commands.map((command) => (
            <div
              key={command.id}
              id={props.idOf(command)}
              role="option"
              aria-selected={command === props.active}
              onPointerMove={() => command !== props.active && props.onPoint(command)}
              onClick={() => props.onRun(command)}
              className="flex min-h-9 touch:min-h-11 items-center gap-2.5 rounded-md px-2.5 py-1 aria-selected:bg-accent-soft forced-colors:aria-selected:outline-2 forced-colors:aria-selected:outline-[Highlight]"
            >
              <Icon name={command.icon} className="text-ink-3" />
              <span className="min-w-0 flex-1 truncate">{command.label}</span>
              {command.detail !== undefined && (
                <span className="max-w-1/2 truncate text-sm text-ink-3">{command.detail}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
