/** An experiment to be started: a recipe or a file of one's own, with what is to be otherwise; its plan first. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ExperimentForm, PlanReply, RecipeData, TargetForm } from '../../api.ts';
import { post } from '../http.ts';
import { Field } from '../parts/field.tsx';
import { Pending, Problems } from '../parts/problems.tsx';
import { StartTabs } from '../parts/start-tabs.tsx';
import { PRIVATE, TargetFields } from '../parts/target-fields.tsx';
import { go } from '../router.tsx';
import type { Watched } from '../use-activity.ts';
import { useData, useDeed } from '../use-data.ts';

const FIRST = 'quickstart';
const OWN = '';

interface StartExperimentPageProps {
  readonly watched: Watched;
  readonly query: URLSearchParams;
}

export function StartExperimentPage({ watched, query }: StartExperimentPageProps): JSX.Element {
  const { loaded } = useData<readonly RecipeData[]>('/api/recipes');
  useEffect(() => {
    document.title = 'Start an experiment - sqldyno';
  }, []);
  return (
    <>
      <h1>Start an experiment</h1>
      <StartTabs current="experiment" watched={watched} />
      {loaded.is === 'there' ? (
        <Form recipes={loaded.data} first={query.get('recipe') ?? FIRST} />
      ) : (
        <Pending loaded={loaded} />
      )}
    </>
  );
}

interface FormProps {
  readonly recipes: readonly RecipeData[];
  readonly first: string;
}

function Form({ recipes, first }: FormProps): JSX.Element {
  const [name, setName] = useState(first);
  const [text, setText] = useState('');
  const [size, setSize] = useState('');
  const [overrides, setOverrides] = useState('');
  const [only, setOnly] = useState('');
  const [target, setTarget] = useState<TargetForm | undefined>();
  const [plan, setPlan] = useState<PlanReply>();
  const { isBusy, problems, perform } = useDeed();
  const recipe = recipes.find((each) => each.name === name);
  const form: ExperimentForm = {
    of: recipe === undefined ? { text } : { recipe: recipe.name },
    size,
    overrides: overrides
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    only,
    ...(target === undefined ? {} : { target }),
  };
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setPlan(undefined);
    };
  const show = () => perform(async () => setPlan(await post<PlanReply>('/api/experiments/plan', form)));
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    perform(async () => {
      await post('/api/experiments', form);
      go('/live');
    });
  };
  return (
    <form onSubmit={onSubmit}>
      <fieldset>
        <legend>Which</legend>
        <div class="grid">
          <Field label="Recipe" help={recipe === undefined ? undefined : recipe.question}>
            {(ids) => (
              <select
                {...ids}
                value={recipe?.name ?? OWN}
                onChange={({ currentTarget }) => changed(setName)(currentTarget.value)}
              >
                {recipes.map((each) => (
                  <option key={each.name}>{each.name}</option>
                ))}
                <option value={OWN}>a file of my own …</option>
              </select>
            )}
          </Field>
          <Field label="Size" help={'small takes minutes on two cores; full is as large as what it redoes'}>
            {(ids) => (
              <input
                {...ids}
                list="sizes"
                value={size}
                placeholder={recipe === undefined ? 'full' : 'small'}
                onInput={({ currentTarget }) => changed(setSize)(currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Only" help={'the name of one experiment, of a file that holds several'}>
            {(ids) => (
              <input
                {...ids}
                value={only}
                placeholder="all of it"
                onInput={({ currentTarget }) => changed(setOnly)(currentTarget.value)}
              />
            )}
          </Field>
        </div>
        <datalist id="sizes">
          <option value="small" />
          <option value="full" />
        </datalist>
        {recipe === undefined ? (
          <Field label="The file (YAML)">
            {(ids) => (
              <textarea
                {...ids}
                rows={12}
                value={text}
                required
                spellcheck={false}
                onInput={({ currentTarget }) => changed(setText)(currentTarget.value)}
              />
            )}
          </Field>
        ) : (
          <details>
            <summary>What it says</summary>
            <pre>{recipe.text}</pre>
            <button
              type="button"
              class="small"
              onClick={() => {
                setText(recipe.text);
                changed(setName)(OWN);
              }}
            >
              Change it
            </button>
          </details>
        )}
        <Field label="Other values than it says, one KEY=VALUE a line">
          {(ids) => (
            <textarea
              {...ids}
              rows={3}
              value={overrides}
              placeholder={'pairs=4\nload.time=10'}
              spellcheck={false}
              onInput={({ currentTarget }) => changed(setOverrides)(currentTarget.value)}
            />
          )}
        </Field>
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={target !== undefined}
          onChange={({ currentTarget }) => changed(setTarget)(currentTarget.checked ? PRIVATE : undefined)}
        />
        on another server than it says
      </label>
      {target !== undefined && <TargetFields target={target} onChange={changed(setTarget)} />}
      <Problems problems={problems} />
      <div class="buttons">
        <button type="button" class="plain" disabled={isBusy} onClick={show}>
          Show the plan
        </button>
        <button type="submit" disabled={isBusy}>
          Start
        </button>
      </div>
      {plan !== undefined && (
        <section aria-label="The plan">
          <h2>The plan</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable. */}
          <pre tabIndex={0}>{plan.text}</pre>
        </section>
      )}
    </form>
  );
}
