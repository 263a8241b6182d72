import type { ClusterCounts } from '../metering/limits/cluster-counts.ts'
import { RedisCounts, type RedisCountsOptions } from './redis/redis-counts.ts'

/** Counts that all nodes share, and the connection to them. */
export interface OpenClusterCounts extends ClusterCounts {
  /** Resolves when the server can be asked, or after so many milliseconds. */
  untilReachable(ms: number): Promise<void>
  close(): void
}

/** Begins to connect to the Redis or Valkey server at `url`, and goes on for as long as it takes. */
export function openClusterCounts(
  options: Pick<RedisCountsOptions, 'url' | 'newestUrl' | 'clock' | 'log'>,
): OpenClusterCounts {
  return new RedisCounts(options)
}
