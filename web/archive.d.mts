export interface EngineEntry {
  id: string;
  /** Version of the model, as links of the command line name it. */
  version: string;
}
export interface EngineIndex {
  v: number;
  current: string;
  engines: EngineEntry[];
}
export function readIndex(site: string): EngineIndex;
export function withEngine(index: EngineIndex, engine: EngineEntry): EngineIndex;
export function writeIndex(site: string, index: EngineIndex): void;
export function publish(dist: string, site: string): EngineIndex;
