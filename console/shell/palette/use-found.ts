import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import { PATHS } from '../../paths.ts'
import type { Command } from './command.ts'

const TYPING_MS = 150
/** Of each kind; the page has all of them. */
const MOST_FOUND = 6

/** The reader's keys and models of these words. Empty words: none. Keys are asked of the server once the typing pauses. */
export function useFound(words: string): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const navigate = useNavigate()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), TYPING_MS)
    return () => clearTimeout(timer)
  }, [words])
  const keys = useQuery({
    ...keysQuery({ limit: MOST_FOUND, sort: 'last_used_at', order: 'desc', search: asked }),
    enabled: asked !== '',
  })
  const models = useQuery({ ...modelsQuery, enabled: asked !== '' })
  if (words === '') return { commands: [], isSearching: false }
  const isOld = asked !== words || keys.isPlaceholderData
  const fits = (name: string): boolean => name.toLowerCase().includes(words.toLowerCase())
  return {
    isSearching: isOld || keys.isFetching || models.isPending,
    commands: [
      ...(keys.data?.data ?? [])
        // Until the answer is here, of the one before only what still fits.
        .filter((key) => !isOld || fits(key.name))
        .map((key): Command => ({
          ...ofPart('keys', key.id, key.name),
          icon: 'key',
          detail: `${key.secret_start}…${key.secret_end}`,
          run: () => void navigate({ to: PATHS.key, params: { keyId: key.id } }),
        })),
      ...(models.data ?? [])
        .filter(({ name }) => fits(name))
        .slice(0, MOST_FOUND)
        .map(({ name }): Command => ({
          ...ofPart('models', name, name),
          icon: 'models',
          run: () => void navigate({ to: PATHS.models, search: { model: name } }),
        })),
    ],
  }
}

function ofPart(part: 'keys' | 'models', id: string, label: string): Omit<Command, 'icon' | 'run'> {
  return { id: `${part}-${id}`, part, label, names: [label], words: [], focus: 'page' }
}
