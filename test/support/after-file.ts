type Step = () => Promise<void>;

/** Of the file that runs; scripts/lib/jest/native.environment.mjs runs them. */
const steps = (): Step[] => Object(globalThis)[Symbol.for('after-file')];

/** Runs after the tests of a file, the step that was added last first. The result runs it at once; a step runs once. */
export function afterFile(step: () => unknown): Step {
  let run: Promise<void> | undefined;
  const once = () => {
    run ??= Promise.resolve()
      .then(step)
      .then(() => undefined);
    return run;
  };
  steps().push(once);
  return once;
}
