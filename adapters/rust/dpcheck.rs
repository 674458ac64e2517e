//! The subject protocol of dpcheck, spoken for a function of rows of numbers. One file without dependencies.

use std::io::{self, BufRead, Write};

/// Answers dpcheck with outputs of `f`, of `width` numbers each, until the input ends. A row is its numbers: one for a row that is a
/// number or a boolean (1 or 0), all for a row that is a list. Outputs are sent as they are in memory.
///
/// `f` must not print to standard output, which is that of the answers (`eprintln!` is free). A panic ends the program: the audit has
/// then failed.
///
/// # Errors
///
/// Those of reading and writing, and a request that holds other rows.
pub fn serve<F>(width: usize, mut f: F) -> io::Result<()>
where
    F: FnMut(&[Vec<f64>]) -> Vec<f64>,
{
    let mut answers = io::BufWriter::new(io::stdout().lock());
    writeln!(answers, r#"{{"dpcheck":1,"order":true,"binary":"f64","width":{width}}}"#)?;
    answers.flush()?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (datasets, order) = read_request(&line)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "rows must be numbers, booleans, or lists of them"))?;
        for side in order {
            let output = f(&datasets[side]);
            assert_eq!(output.len(), width, "f must return as many numbers as width says");
            for number in output {
                answers.write_all(&number.to_le_bytes())?;
            }
        }
        answers.flush()?;
    }
    Ok(())
}

type Dataset = Vec<Vec<f64>>;

fn read_request(line: &str) -> Option<([Dataset; 2], Vec<usize>)> {
    let mut rest = line.split_once("\"datasets\":")?.1;
    take(&mut rest, '[')?;
    let left = read_dataset(&mut rest)?;
    take(&mut rest, ',')?;
    let right = read_dataset(&mut rest)?;
    take(&mut rest, ']')?;
    let order = rest.strip_prefix(",\"order\":[")?.split_once(']')?.0;
    let sides = order.split(',').map(|side| match side {
        "0" => Some(0),
        "1" => Some(1),
        _ => None,
    });
    Some(([left, right], sides.collect::<Option<_>>()?))
}

fn take(rest: &mut &str, wanted: char) -> Option<()> {
    *rest = rest.strip_prefix(wanted)?;
    Some(())
}

fn read_dataset(rest: &mut &str) -> Option<Dataset> {
    read_list(rest, |rest| {
        if rest.starts_with('[') {
            read_list(rest, read_number)
        } else {
            Some(vec![read_number(rest)?])
        }
    })
}

fn read_list<T>(rest: &mut &str, item: impl Fn(&mut &str) -> Option<T>) -> Option<Vec<T>> {
    take(rest, '[')?;
    let mut items = Vec::new();
    if take(rest, ']').is_some() {
        return Some(items);
    }
    loop {
        items.push(item(rest)?);
        if take(rest, ',').is_none() {
            take(rest, ']')?;
            return Some(items);
        }
    }
}

fn read_number(rest: &mut &str) -> Option<f64> {
    let end = rest.find([',', ']'])?;
    let (text, after) = rest.split_at(end);
    *rest = after;
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => text.parse().ok(),
    }
}
